// Lists the place of every table once `refill database distribute` has spread the database over machines, with the
// reason. A test reads the catalogue: a table that is missing here fails it. docs/distributed.md tells the same in
// words.

/**
 * `player`: by player_id, all these beside each other, or by the account that players share, which is a player's id
 * where the shop keeps the accounts; `key`: by a column of its own; `copies`: whole on every node,
 * read there, rarely written; `coordinator`: whole on the coordinator, reached from every node.
 */
export type Place =
  | { readonly kind: 'player'; readonly column?: 'account_id' }
  | { readonly kind: 'key'; readonly column: string; readonly why: string }
  | { readonly kind: 'copies' | 'coordinator'; readonly why: string };

const PLAYER: Place = { kind: 'player' };
const ACCOUNT: Place = { kind: 'player', column: 'account_id' };
const key = (column: string, why: string): Place => ({ kind: 'key', column, why });
const copies = (why: string): Place => ({ kind: 'copies', why });
const coordinator = (why: string): Place => ({ kind: 'coordinator', why });

export const PLACES: Readonly<Record<string, Place>> = {
  // The first: all others of a player lie where it lies.
  player: PLAYER,
  age_declaration: PLAYER,
  archived_buyer: PLAYER,
  carried_use: ACCOUNT,
  coupon: PLAYER,
  creator_entry: PLAYER,
  delivery: PLAYER,
  idempotency: PLAYER,
  ledger_entry: PLAYER,
  limit_counter: ACCOUNT,
  orders: PLAYER,
  payment_attempt: PLAYER,
  player_change: PLAYER,
  player_password: PLAYER,
  player_role: PLAYER,
  points_entry: PLAYER,
  real_name: PLAYER,
  refund: PLAYER,
  reservation: PLAYER,
  revocation: PLAYER,
  reward: PLAYER,
  settlement_fee: PLAYER,
  spending_cap: PLAYER,
  spending_pause: PLAYER,
  unpaid_order: PLAYER,
  wallet_account: PLAYER,
  wallet_entry: PLAYER,
  wallet_txn: PLAYER,
  webhook_message: PLAYER,

  order_lookup: key('billing_no', 'a provider knows the number of an order, not its player'),
  provider_reference: key('provider_ref', 'a provider may name its own reference only'),
  callback_inbox: key('dedup_key', 'a callback is the same one by its own key, whoever it is about'),

  archived_month: copies('read by functions of orders; one row a month'),
  gift_card_batch: copies('read beside cards; a few rows of the operator'),
  order_transition: copies('the law of states, read with every change of one'),
  webhook_endpoint: copies('read with every change that is told; a handful'),

  account_guard: coordinator('erased accounts: few, asked when an account is made'),
  admin_call: coordinator('calls of the operator in a day'),
  admin_key: coordinator('keys of the operator, a handful'),
  audit_entry: coordinator('acts of persons, few; its trigger, which refuses changes, may not be on a spread table'),
  backup_record: coordinator('one row'),
  backup_token: coordinator('joined with session; a quarter of an hour old at most'),
  beta_key: coordinator('unique by its hash and by its id, which one key cannot tell; a handful'),
  callback_refused: coordinator('one row a day and reason'),
  card_failed_attempt: coordinator('counts accounts and cards in one table; only orders paid by card'),
  card_try: coordinator('its number counts all tries in their order; only orders paid by card'),
  configuration: coordinator('one row; its trigger tells the servers, which listen on the coordinator'),
  configuration_file: coordinator('files of the operator, a few dozen'),
  configuration_history: coordinator('one row an apply'),
  erasure: coordinator('unique by its number and by its player, which one key cannot tell; few'),
  error_report: coordinator('faults of pages, thinned before they are stored'),
  gift_card: coordinator('looked up by number, by order and by player, and locked with both'),
  guard_key: coordinator('one row, read where an account comes back after its person was erased'),
  invariant_check: coordinator('one row'),
  known_device: coordinator('asked at a login, beside login_guard'),
  ledger_archived: coordinator('sums of archived months'),
  login_attempt: coordinator('logins under way; ten minutes old at most'),
  login_guard: coordinator('counted at a login, beside known_device'),
  login_link: coordinator('unique by its hash and by the call that made it, which one key cannot tell'),
  picture_file: coordinator('pictures of the operator, kept by the servers after the first read'),
  player_identity: coordinator('unique by brand, provider and subject; read at a login, together with session'),
  product_stock: coordinator('one number over all players: it has to lie in one place'),
  promo_code: coordinator('one number over all players: it has to lie in one place'),
  rate_limit: coordinator('written by a library; large shops set REDIS_URL instead'),
  replenish: coordinator('unique by its number and by that of who opened it, which one key cannot tell; few'),
  retention_end: coordinator('a dozen rows'),
  session: coordinator('unique by token and by public id, which one key cannot tell'),
  shop_environment: coordinator('one row'),
  storefront_file: coordinator('built files, kept by the servers after the first read'),
  table_exception: coordinator('a list that tests read'),
  track_call: coordinator('its number counts all calls in their order, for the export'),
  wallet_credit_reference: coordinator("an operator's number, once over all players; few"),
  wallet_nonce: coordinator('a quarter of an hour of the calls of the operator'),
  running_process: coordinator('a row for each process of the shop'),
  schema_migration: coordinator('what migrations keep'),
  schema_repeatable: coordinator('what migrations keep'),
  schema_left_over: coordinator('what migrations keep'),
};

/**
 * Functions that run where their player is (create_distributed_function): all that they and what they call touch lies
 * there. Of the others of an order's way none does: place_order writes order_lookup, record_create_result
 * provider_reference, receive_report finds the player first and keeps the callback, refunds give cards back. They run
 * on the coordinator, each of their statements on the one node that has its row; most steps of most orders run on
 * their node instead, in schemas of their own (shard-schemas.ts).
 */
export const AT_THEIR_PLAYER: readonly string[] = ['record_delivery(uuid, text, jsonb)'];
