// Orders, payments, deliveries and everything that is counted with them.
import type { PersonalTable } from '../personal-data-types.ts';
import { COUNTED, ORDER, PLAYER, list } from './words.ts';

/** Rows that hold a player's number and money, goods or counts, and nothing else about a person. */
const bookOf = (purpose: string, columns: string): PersonalTable => ({
  purpose,
  belongs: [PLAYER],
  ends: [{ how: 'books' }],
  onErasure: 'keep',
  columns: {},
  otherColumns: list(columns),
});

export const OF_ORDERS: Readonly<Record<string, PersonalTable>> = {
  orders: {
    purpose: 'the contract: which goods were sold to which character, for how much',
    belongs: [PLAYER],
    ends: [{ how: 'books' }],
    onErasure: 'keep',
    columns: {
      role_id: { is: 'character in the game', onErasure: 'pseudonym' },
      role_name: { is: 'name of the character', onErasure: 'pseudonym' },
      suid: { is: 'user id in the game', onErasure: 'pseudonym' },
      username: { is: 'shown name', onErasure: 'pseudonym' },
      origin: { is: 'where the visit came from, with numbers of the browser', onErasure: 'empty' },
      country: { is: 'country of the purchase', onErasure: 'keep', because: 'tax is owed by country' },
      language: {
        is: 'language of the page',
        onErasure: 'keep',
        because: 'says in which words the terms were accepted',
      },
      accepted: { is: 'the terms that were confirmed', onErasure: 'keep', because: 'proof of the contract' },
      payer_rules: { is: 'rules for minors and caps that it was placed under', onErasure: 'empty' },
    },
    otherColumns: list(
      `billing_no brand_key game_id client_id product_id server_id server_name area_id product amount_minor currency region
      state review_reason is_late current_attempt created_at expires_at expiry_lease_until paid_at delivering_at delivered_at
      refunded_at closed_at discount_minor coupon_code is_unpaid needs_person points refunded_minor promo_code creator
      share_minor replenish_id adopted_at`,
    ),
  },
  unpaid_order: {
    purpose: 'the one unpaid order of a character for a product',
    belongs: [PLAYER],
    ends: [{ how: 'soon', within: 'until the order is paid or closed' }],
    onErasure: 'delete',
    columns: { role_id: { is: 'character in the game' } },
    otherColumns: list('client_id server_id area_id product_id billing_no'),
  },
  player_change: {
    purpose: 'that something of a player has changed, for the look at the books',
    belongs: [PLAYER],
    ends: [{ how: 'soon', within: 'an hour, when the books are looked at' }],
    onErasure: 'keep',
    columns: {},
    otherColumns: list('change_no'),
  },
  archived_buyer: bookOf('who had goods by an order that is in files, for codes of a first purchase', 'orders'),
  order_lookup: {
    purpose: 'finding the player behind a number that a provider names',
    belongs: [PLAYER],
    ends: [{ how: 'books' }],
    onErasure: 'keep',
    columns: {},
    otherColumns: list('billing_no'),
  },
  payment_attempt: {
    purpose: 'the payment of an order at a provider',
    belongs: [PLAYER],
    ends: [
      { how: 'books' },
      { how: 'columns', keep: 'exchanges', since: 'the attempt began', columns: ['exchange', 'pay_url'] },
    ],
    onErasure: 'keep',
    columns: {
      exchange: { is: 'what was sent to the provider and answered, masked', onErasure: 'empty' },
      pay_url: { is: 'page of the provider for this payment', isSecret: true, onErasure: 'empty' },
      approval: { is: "the provider's number of an approval", onErasure: 'keep', because: 'money is captured by it' },
    },
    otherColumns: list(
      `billing_no attempt_no provider channel_key channel_name channel_id amount_minor currency state is_replaced provider_ref
      capture_ref payable_until approved_at declined_at left_at queried_at next_query_at query_count capture_lease_until
      created_at succeeded_at reported_minor reported_currency unreadable_reason is_open method`,
    ),
  },
  provider_reference: bookOf(
    "finding the order behind a provider's own number",
    'provider provider_ref billing_no attempt_no',
  ),
  idempotency: {
    purpose: 'a pay call that is repeated gets the same answer',
    belongs: [PLAYER],
    ends: [{ how: 'rows', keep: 'idempotency', since: 'the call' }],
    onErasure: 'delete',
    columns: { answer: { is: 'the answer of the call, with the address of the payment', isSecret: true } },
    otherColumns: list('key fingerprint billing_no attempt_no created_at'),
  },
  callback_inbox: {
    purpose: 'proof of what a provider told about a payment, for support and disputes',
    belongs: [PLAYER, ORDER],
    ends: [{ how: 'rows', keep: 'callbacks', since: 'it arrived, once it is applied or ignored' }],
    // The row stays until its end, so that a repeated callback is known.
    onErasure: 'keep',
    columns: {
      headers: { is: 'headers of the callback, masked', onErasure: 'empty' },
      body: { is: 'body of the callback, masked', onErasure: 'empty' },
      report: {
        is: 'what was read from it: reference, amount, state',
        onErasure: 'keep',
        because: 'it is applied from here, and holds no name',
      },
    },
    otherColumns: list(
      'provider dedup_key reference state outcome tries next_try_at lease_until received_at applied_at unmatched_at',
    ),
  },
  callback_refused: {
    purpose: 'finding out why callbacks are refused; one sample a day and reason',
    belongs: [],
    ends: [{ how: 'rows', keep: 'callbacks', since: 'the day' }],
    onErasure: 'keep',
    columns: {
      sample: { is: 'beginning of a refused body, masked', onErasure: 'keep', because: 'it leads to nobody' },
    },
    otherColumns: list('provider day reason count last_at'),
  },
  delivery: bookOf(
    'handing the goods to the game',
    'billing_no game_id state tries next_at receipt_id last_error created_at done_at',
  ),
  ledger_entry: bookOf('the books', 'billing_no kind attempt_no account amount_minor currency created_at'),
  settlement_fee: bookOf(
    'fees that providers kept, from their files',
    'billing_no attempt_no movement provider fee_minor currency at',
  ),
  refund: {
    purpose: 'money that goes back',
    belongs: [PLAYER],
    ends: [{ how: 'books' }],
    onErasure: 'keep',
    columns: {
      requested_by: { is: 'operator who asked for it', onErasure: 'keep', because: 'names no player' },
      reason: { is: 'why, in the words of an operator', onErasure: 'keep', because: 'part of the books' },
    },
    otherColumns: list(
      'billing_no attempt_no state amount_minor currency tries next_at provider_refund_ref last_error ' +
        'created_at done_at',
    ),
  },
  revocation: bookOf(
    'goods that the game takes back',
    'billing_no game_id state reason tries next_at last_error created_at done_at',
  ),
  reservation: bookOf(
    'what an order holds or used',
    'billing_no kind game_id product_id subject period cap state account_id',
  ),
  limit_counter: {
    purpose: 'how often an account or character bought, received or took what is limited',
    belongs: [COUNTED],
    ends: [{ how: 'account' }],
    onErasure: 'keep',
    columns: {
      subject: {
        is: 'the character, by its numbers in the game',
        onErasure: 'keep',
        because: 'its numbers become a pseudonym, here and in the reservation: a refund still finds its counter',
      },
    },
    otherColumns: list('game_id product_id period used cap'),
  },
  coupon: {
    purpose: 'coupons and offers of a player',
    belongs: [PLAYER],
    ends: [{ how: 'account' }],
    // One that an order used stays with the order's books.
    onErasure: 'keep',
    columns: { source: { is: 'who gave it, and why', onErasure: 'keep', because: 'names no player' } },
    otherColumns: list(
      `code brand_key name discount_rate min_spend games products valid_from valid_end state billing_no taken_at issue_key
      created_at need_points prices`,
    ),
  },
  points_entry: bookOf('points of the VIP programme', 'billing_no kind entry_no points created_at'),
  creator_entry: bookOf(
    "a creator's share of an order",
    'billing_no kind entry_no brand_key creator amount_minor currency created_at',
  ),
  reward: {
    purpose: 'goods that were given for an event, and the proof of it',
    belongs: [PLAYER],
    ends: [{ how: 'books' }],
    onErasure: 'keep',
    columns: {
      role_id: { is: 'character in the game', onErasure: 'pseudonym' },
      role_name: { is: 'name of the character', onErasure: 'pseudonym' },
      suid: { is: 'user id in the game', onErasure: 'pseudonym' },
    },
    otherColumns: list(
      `account_id reward_no issue_key brand_key game_id client_id server_id area_id product_id gifts title basis state tries next_at
      receipt_id last_error created_at done_at`,
    ),
  },
  replenish: {
    purpose: 'a make-up payment, for which the game unblocks an account',
    belongs: [PLAYER],
    ends: [{ how: 'books' }],
    onErasure: 'keep',
    columns: {
      reason: { is: 'why, in the words of an operator', onErasure: 'empty' },
      opened_by: { is: 'operator who opened it', onErasure: 'keep', because: 'names no player' },
      reference: { is: "the case's number at the operator", onErasure: 'keep', because: 'it is opened once only' },
    },
    otherColumns: list(
      'replenish_id brand_key game_id client_id amount_minor currency state billing_no expires_at created_at ' +
        'told_late_at',
    ),
  },
  webhook_message: {
    purpose: "telling the operator's own systems of an order",
    belongs: [PLAYER],
    ends: [{ how: 'rows', keep: 'webhooks', since: 'the event' }],
    onErasure: 'keep',
    columns: {
      data: {
        is: 'the order as it was',
        onErasure: 'keep',
        because: 'names the player by our own id alone, and what waits is still told',
      },
    },
    otherColumns: list(
      'message_id endpoint_id type billing_no state tries next_at last_status last_error created_at done_at',
    ),
  },
};
