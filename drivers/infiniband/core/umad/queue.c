// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What waits for a file's reader. Nothing here touches a device.
 *
 * A peer can send faster than a stalled reader reads, so received packets are bounded. A
 * timed-out send always has a place: the program waits for it, and it had the memory for it
 * when it sent.
 */

#include <linux/err.h>

#include "umad.h"

/**
 * umad_queue_init - prepare an empty queue
 * @queue: the queue
 */
void umad_queue_init(struct umad_queue *queue)
{
	spin_lock_init(&queue->lock);
	INIT_LIST_HEAD(&queue->packets);
	queue->length = 0;
	queue->dead = false;
	init_waitqueue_head(&queue->wait);
}

static void wake_readers(struct umad_queue *queue)
{
	wake_up_interruptible_poll(&queue->wait, EPOLLIN | EPOLLRDNORM);
}

/**
 * umad_queue_add_received - append a received packet
 * @queue: the queue
 * @packet: belongs to the queue on success
 *
 * Return: false if the queue is full.
 */
bool umad_queue_add_received(struct umad_queue *queue, struct umad_packet *packet)
{
	bool room;

	spin_lock(&queue->lock);
	room = queue->length < UMAD_QUEUE_LIMIT;
	if (room) {
		list_add_tail(&packet->node, &queue->packets);
		queue->length++;
	}
	spin_unlock(&queue->lock);

	if (room)
		wake_readers(queue);
	return room;
}

/**
 * umad_queue_add_timed_out - append a send that had no response, also to a full queue
 * @queue: the queue
 * @packet: belongs to the queue now
 */
void umad_queue_add_timed_out(struct umad_queue *queue, struct umad_packet *packet)
{
	spin_lock(&queue->lock);
	list_add_tail(&packet->node, &queue->packets);
	queue->length++;
	spin_unlock(&queue->lock);
	wake_readers(queue);
}

/**
 * umad_queue_take - take the oldest packet
 * @queue: the queue
 *
 * Return: the packet, which belongs to the caller; ERR_PTR of -EAGAIN if there is none, or of
 * -EIO if the port is gone.
 */
struct umad_packet *umad_queue_take(struct umad_queue *queue)
{
	struct umad_packet *packet = ERR_PTR(-EAGAIN);

	spin_lock(&queue->lock);
	if (queue->dead) {
		packet = ERR_PTR(-EIO);
	} else if (!list_empty(&queue->packets)) {
		packet = list_first_entry(&queue->packets, struct umad_packet, node);
		list_del(&packet->node);
		queue->length--;
	}
	spin_unlock(&queue->lock);
	return packet;
}

/**
 * umad_queue_put_back - return a packet that couldn't be read to the front
 * @queue: the queue; it may have filled up in the meantime, this packet has its place all the same
 * @packet: what umad_queue_take() returned
 */
void umad_queue_put_back(struct umad_queue *queue, struct umad_packet *packet)
{
	spin_lock(&queue->lock);
	list_add(&packet->node, &queue->packets);
	queue->length++;
	spin_unlock(&queue->lock);
	wake_readers(queue);
}

/**
 * umad_queue_ready - would umad_queue_take() return something else than -EAGAIN?
 * @queue: the queue
 *
 * Return: true if so.
 */
bool umad_queue_ready(struct umad_queue *queue)
{
	bool ready;

	spin_lock(&queue->lock);
	ready = queue->dead || !list_empty(&queue->packets);
	spin_unlock(&queue->lock);
	return ready;
}

/**
 * umad_queue_kill - the port is gone: wake all readers, with -EIO
 * @queue: the queue
 */
void umad_queue_kill(struct umad_queue *queue)
{
	spin_lock(&queue->lock);
	queue->dead = true;
	spin_unlock(&queue->lock);
	wake_up_poll(&queue->wait, EPOLLERR | EPOLLHUP);
}

/**
 * umad_queue_events - what poll() says of the file
 * @queue: the file's queue
 *
 * Return: always writable, as a send doesn't wait; readable with a packet; error and hang-up,
 * and nothing else, if the port is gone.
 */
__poll_t umad_queue_events(struct umad_queue *queue)
{
	__poll_t events = EPOLLOUT | EPOLLWRNORM;

	spin_lock(&queue->lock);
	if (queue->dead)
		events = EPOLLERR | EPOLLHUP;
	else if (!list_empty(&queue->packets))
		events |= EPOLLIN | EPOLLRDNORM;
	spin_unlock(&queue->lock);
	return events;
}
