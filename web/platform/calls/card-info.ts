// Number and password of a prepaid card, written for the wire where the browser computes hashes.
import { cardHashText, encodeCardInfo } from '#contracts/card-info.ts';

export type TypedCard = { number: string; password: string };

export const NO_CARD: TypedCard = { number: '', password: '' };

/** @source specification section 5: "the buy button stays disabled until both are filled" */
export function isCardFilled(card: TypedCard): boolean {
  return card.number.trim() !== '' && card.password.trim() !== '';
}

export async function writeCardInfo({ number, password }: TypedCard): Promise<string> {
  const [id, secret] = [number.trim(), password.trim()];
  const sum = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(cardHashText(id, secret)));
  const hash = Array.from(new Uint8Array(sum), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return encodeCardInfo(id, secret, hash);
}
