// Welcome's signatures: SHA-256 in lower-case hex over name=value pairs in a fixed order. The only
// secret in them is the sign key.
import { createHash } from 'node:crypto';

/** UTF-8, lower-case hex. */
function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** Travels with the desktop form: the sign key itself never does. */
export function mKeyOf(signKey: string): string {
  return sha256(signKey);
}

/**
 * Signature of the desktop form. @param timestamp epoch milliseconds, as in the form
 * @source github.com/paywelcome/paywelcome.github.io, PC Web Standard. UNSURE: the manual writes
 *   `mKey` here, and once `mkey`
 */
export function signPcForm(signKey: string, oid: string, price: string, timestamp: string): string {
  return sha256(`mKey=${mKeyOf(signKey)}&oid=${oid}&price=${price}&timestamp=${timestamp}`);
}

/** Signature of the desktop approval and of its network cancellation. @source the same manual, approval request */
export function signApproval(authToken: string, timestamp: string): string {
  return sha256(`authToken=${authToken}&timestamp=${timestamp}`);
}

/** `P_SIGNATURE` of the form for phones. @source the same manual, Mobile */
export function signMobileForm(signKey: string, amount: string, oid: string, timestamp: string): string {
  return sha256(`mkey=${mKeyOf(signKey)}&P_AMT=${amount}&P_OID=${oid}&P_TIMESTAMP=${timestamp}`);
}

/**
 * Signature of a PAYAPI cancellation. @param timestamp yyyyMMddHHmmss
 * @source the same manual, PAYAPI: "mid+mkey+timestamp". UNSURE: the pairs follow from its general rule;
 *   the table names only the parts
 */
export function signCancel(signKey: string, mid: string, timestamp: string): string {
  return sha256(`mid=${mid}&mkey=${mKeyOf(signKey)}&timestamp=${timestamp}`);
}
