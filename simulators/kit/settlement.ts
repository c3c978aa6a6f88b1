// Every movement of money a simulator made, for the settlement file of a day. How the file looks is each provider's
// own.

import type { Journal } from './journal.ts';
import type { Amount } from './money.ts';

export type Movement = {
  /** The provider's id of this movement. */
  id: string;
  kind: 'payment' | 'refund' | 'chargeback';
  /** The provider's id of the payment that it belongs to. */
  paymentId: string;
  /** The shop's reference. */
  reference: string;
  amount: Amount;
  /** Milliseconds since the epoch. */
  at: number;
};

export type Settlement = {
  book(movement: Movement): void;
  /** Movements of a day of UTC, `YYYY-MM-DD`, in the order they happened. */
  ofDay(date: string): Movement[];
};

export function openSettlement(journal: Journal): Settlement {
  const movements = journal.table<Movement>('movements');
  return {
    book: (movement) => movements.put(movement.id, movement),
    ofDay: (date) =>
      [...movements.values()].filter((movement) => new Date(movement.at).toISOString().slice(0, 10) === date),
  };
}

/** One line of CSV: every value in quotation marks, those inside doubled. */
export function csvLine(values: readonly (string | number)[]): string {
  return `${values.map((value) => `"${String(value).replaceAll('"', '""')}"`).join(',')}\r\n`;
}
