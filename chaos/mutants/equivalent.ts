// Mutants that no test can see because nothing changes: each with the reason. Named as the run
// names them, without the line.

export const EQUIVALENT: Readonly<Record<string, string>> = {
  'capture_internal_tender "v_outcome <> \'paid\'" -> "false"':
    'its attempt was inserted in the same transaction, and its order is locked: no other outcome can come about',
  'book_refund "and kind = \'overpayment\'" -> ""':
    'of an attempt in these states only its overpayment owes something back: what went back already left before',
};
