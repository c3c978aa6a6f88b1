// Names of the files of a record: what it holds, when and by whom it was begun, and whose it is now. In the order of
// their names they are in the order of their beginnings.

export type FileName = {
  readonly kind: string;
  /** Epoch milliseconds. */
  readonly start: number;
  /** Of the process that began it: two of them may begin one in the same millisecond. */
  readonly creator: string;
  readonly sequence: number;
  /** Of the process that writes it or hands it on. */
  readonly owner: string;
};

/** Nobody's: its process ended in order. */
export const FREE = 'free';

const NAME = /^([a-z]+)\.(\d{15})\.([0-9a-f]{12})-(\d{6})\.(free|[0-9a-f]{12})\.jsonl$/;

export function writeFileName({ creator, kind, owner, sequence, start }: FileName): string {
  const digits = (value: number, length: number) => String(Math.floor(value)).padStart(length, '0');
  return `${kind}.${digits(start, 15)}.${creator}-${digits(sequence, 6)}.${owner}.jsonl`;
}

/** Null: no file of a record, or one that is put aside or half made. */
export function readFileName(name: string): FileName | null {
  const [, kind, start, creator, sequence, owner] = NAME.exec(name) ?? [];
  if (!kind || !start || !creator || !sequence || !owner) return null;
  return { kind, start: Number(start), creator, sequence: Number(sequence), owner };
}
