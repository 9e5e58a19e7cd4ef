// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * A stand-in for the stock module of the same name, small enough to show one thing: that a module
 * of ours can export what a stock module imports, with the checksums that stock carries, and be
 * taken for the real one. It hands spanning-tree frames (IEEE 802.1D, LLC SAP 0x42) to the stock
 * bridge.
 */
#include <linux/etherdevice.h>
#include <linux/llc.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/skbuff.h>
#include <net/llc.h>
#include <net/llc_pdu.h>
#include <net/stp.h>

/* Serialises (de)registration; the receive path reads the pointer under RCU alone. */
static DEFINE_MUTEX(register_mutex);
static const struct stp_proto __rcu *bridge_proto;
static struct llc_sap *sap;

static int deliver(struct sk_buff *skb, struct net_device *dev,
		   struct packet_type *packet_type, struct net_device *orig_dev)
{
	const struct llc_pdu_un *pdu = llc_pdu_un_hdr(skb);
	const struct stp_proto *proto;

	if (pdu->dsap == LLC_SAP_BSPAN && pdu->ssap == LLC_SAP_BSPAN &&
	    pdu->ctrl_1 == LLC_PDU_TYPE_U) {
		rcu_read_lock();
		proto = rcu_dereference(bridge_proto);
		if (proto) {
			proto->rcv(proto, skb, dev);
			skb = NULL;
		}
		rcu_read_unlock();
	}
	kfree_skb(skb);
	return 0;
}

/**
 * stp_proto_register - take spanning-tree frames
 * @proto: the receiver; one without a group address (a bridge), and one at a time
 *
 * Context: may sleep.
 * Return: 0, -EOPNOTSUPP for a protocol with a group address (GARP, MRP), -EBUSY, -ENOMEM.
 */
int stp_proto_register(const struct stp_proto *proto)
{
	int ret = 0;

	if (!is_zero_ether_addr(proto->group_address))
		return -EOPNOTSUPP;

	mutex_lock(&register_mutex);
	if (rcu_access_pointer(bridge_proto)) {
		ret = -EBUSY;
	} else {
		sap = llc_sap_open(LLC_SAP_BSPAN, deliver);
		if (sap)
			rcu_assign_pointer(bridge_proto, proto);
		else
			ret = -ENOMEM;
	}
	mutex_unlock(&register_mutex);
	if (!ret)
		pr_info("stp: taken by a bridge\n");
	return ret;
}
EXPORT_SYMBOL_GPL(stp_proto_register);

/**
 * stp_proto_unregister - the reverse of stp_proto_register()
 * @proto: what was registered
 *
 * Context: may sleep. When it returns, no frame is being delivered.
 */
void stp_proto_unregister(const struct stp_proto *proto)
{
	mutex_lock(&register_mutex);
	RCU_INIT_POINTER(bridge_proto, NULL);
	synchronize_rcu();
	llc_sap_put(sap);
	mutex_unlock(&register_mutex);
}
EXPORT_SYMBOL_GPL(stp_proto_unregister);

MODULE_DESCRIPTION("Stand-in for stock stp: proves that a module can be swapped");
MODULE_LICENSE("Dual BSD/GPL");
