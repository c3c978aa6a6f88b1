// Stored balance and prepaid cards.
import type { PersonalTable } from '../personal-data-types.ts';
import { PLAYER, list } from './words.ts';

const NO_PLAYER = 'names no player';

export const OF_TENDERS: Readonly<Record<string, PersonalTable>> = {
  wallet_account: {
    purpose: 'the stored balance',
    belongs: [PLAYER],
    ends: [{ how: 'books' }],
    onErasure: 'keep',
    columns: { balance_minor: { is: 'the balance', onErasure: 'keep', because: 'books that must sum' } },
    otherColumns: list('currency kind'),
  },
  wallet_txn: {
    purpose: 'movements of the stored balance',
    belongs: [PLAYER],
    ends: [{ how: 'books' }],
    onErasure: 'keep',
    columns: {
      reason: { is: 'why, in the words of an operator', onErasure: 'keep', because: 'books refuse every change' },
      actor: { is: 'operator or system that moved it', onErasure: 'keep', because: NO_PLAYER },
    },
    otherColumns: list('txn_id type idempotency_key currency amount_minor billing_no spends created_at'),
  },
  wallet_entry: {
    purpose: 'the books of the stored balance',
    belongs: [PLAYER],
    ends: [{ how: 'books' }],
    onErasure: 'keep',
    columns: {},
    otherColumns: list('txn_id kind amount_minor balance_after seq'),
  },
  wallet_credit_reference: {
    purpose: "an operator's credit is carried out once for ever",
    belongs: [PLAYER],
    ends: [{ how: 'books' }],
    onErasure: 'keep',
    columns: { fingerprint: { is: 'hash of the credit', isSecret: true, onErasure: 'keep', because: NO_PLAYER } },
    otherColumns: list('external_id txn_id'),
  },
  gift_card: {
    purpose: 'prepaid cards: who was given one, who spent it on which order',
    belongs: [PLAYER, { by: 'player', column: 'issued_to' }],
    ends: [{ how: 'books' }],
    onErasure: 'keep',
    columns: {
      password_hmac: {
        is: "keyed hash of the card's password",
        isSecret: true,
        onErasure: 'keep',
        because: 'the card may be valid still',
      },
    },
    otherColumns: list('card_id batch_id state valid_to billing_no attempt_no spent_at created_at rest_minor'),
  },
  card_try: {
    purpose: 'finding out who guesses the numbers of cards',
    belongs: [PLAYER, { by: 'address', column: 'ip' }],
    ends: [{ how: 'rows', keep: 'cardTries', since: 'the try' }],
    onErasure: 'delete',
    columns: { card_key: { is: 'keyed hash of what was typed', isSecret: true } },
    otherColumns: list('id at brand_key card_id purpose outcome'),
  },
  card_failed_attempt: {
    purpose: 'slowing down whoever guesses the numbers of cards',
    belongs: [{ by: 'card', column: 'card_id' }],
    ends: [{ how: 'soon', within: 'a day; the count of a card that exists stays with the card' }],
    onErasure: 'keep',
    columns: {
      subject: {
        is: "an account's number or the keyed hash of a card",
        onErasure: 'keep',
        because: 'goes by itself within a day',
      },
    },
    otherColumns: list('attempts since lockouts locked_until'),
  },
};
