// Mutants that no test can see because nothing changes: each with the reason. Named as the run names them, without the
// line; one of several that read alike by its place among them: (1), (2).

const LEFT_TO_ONE =
  'who is not taken in the statement of the batch is taken by the function of one order, with the same end';
const FOUND_ONLY =
  'what is found comes in the order of this moment, and each row is measured by it again under its lock';
const SAME_MOMENT = 'only moments of different statements are compared, and those are never the same microsecond';

export const EQUIVALENT: Readonly<Record<string, string>> = {
  'capture_internal_tender "v_outcome <> \'paid\'" -> "false"':
    'its attempt was inserted in the same transaction, and its order is locked: no other outcome can come about',
  'book_refund "and kind = \'overpayment\'" -> ""':
    'of an attempt in these states only its overpayment owes something back: what went back already left before',
  'lease_deliveries "and d.next_at <= v_now" -> "" (1)': FOUND_ONLY,
  'lease_refunds "and d.next_at <= now()" -> "" (1)': FOUND_ONLY,
  'lease_revocations "and d.next_at <= now()" -> "" (1)': FOUND_ONLY,
  'book_plain_payments "and s.state = \'succeeded\'" -> ""': LEFT_TO_ONE,
  'book_plain_payments "v_count <> v_succeeded_count" -> "false"':
    'the rows were locked by a statement before, so as many attempts as orders are found: a guard for the next planner',
  'place_plain_orders ">" -> ">=" (3)': SAME_MOMENT,
  'place_plain_orders ">" -> ">=" (4)': SAME_MOMENT,
  'place_plain_orders ">" -> ">=" (5)': SAME_MOMENT,
  'book_plain_payments "<=" -> "<"': SAME_MOMENT,
  'order_standing "p_billing_no is null" -> "false"':
    'of no number there is no order; the look is left out, and on a spread database the question to its node',
};
