// Declares the entry of every table of the database: whose rows it holds, why, for how long, and what happens then.
import type { RetentionName } from '#contracts/retention.ts';

/** How a row is found that belongs to a player. A table may have several ways: one that fits is enough. */
export type Belongs =
  /** The column holds the player's id. */
  | { readonly by: 'player'; readonly column: string }
  /** The column holds the account that the player's uses are counted for, which several players may share. */
  | { readonly by: 'counted'; readonly column: string }
  /** The column holds the number of one of the player's orders. */
  | { readonly by: 'order'; readonly column: string }
  /** The column holds `token_hash` of one of the player's sessions. */
  | { readonly by: 'session'; readonly column: string }
  /** SHA-256 of brand and login name (`server/platform/limits/login-limits.ts`). */
  | { readonly by: 'account'; readonly column: string }
  /** The column holds a prepaid card that the player spent or was given. */
  | { readonly by: 'card'; readonly column: string }
  /** The column holds the network address of a browser: it leads to nobody whom the shop knows. */
  | { readonly by: 'address'; readonly column: string }
  /** A number that a browser made up for itself. */
  | { readonly by: 'browser'; readonly column: string }
  /** The column names a person who works for the shop. */
  | { readonly by: 'operator'; readonly column: string };

/** Rows end in one of these ways when their time is over. */
export type End =
  /** Rows go when `days` have passed since the moment; a server of any number does it, a batch at a time. */
  | { readonly how: 'rows'; readonly keep: RetentionName; readonly since: string }
  /** The columns are emptied then; the row stays as long as its books do. */
  | {
      readonly how: 'columns';
      readonly keep: RetentionName;
      readonly since: string;
      readonly columns: readonly string[];
    }
  /**
   * Books: kept for as long as tax and commerce law say, then moved by `refill archive`. Nothing ends them by itself.
   */
  | { readonly how: 'books' }
  /** As long as the account is there: until the player, or the operator for them, has it erased. */
  | { readonly how: 'account' }
  /** Until an operator takes it away. */
  | { readonly how: 'operator' }
  /** Renewed or cleared away by whatever writes it; `within` says when, in words. */
  | { readonly how: 'soon'; readonly within: string };

/**
 * Erasing a person does this to one column of a row that stays. `empty`: null where the column may be null, else an
 * empty text or object. `pseudonym`: a text made with a salt that is kept nowhere, so that nothing leads back.
 */
export type ColumnErasure = 'empty' | 'pseudonym' | 'keep';

export type PersonalColumn = {
  readonly is: string;
  /** Of a table whose rows stay. `keep` needs its reason. */
  readonly onErasure?: ColumnErasure;
  readonly because?: string;
  /** A hash or a secret: neither shown in an export nor to an operator. */
  readonly isSecret?: true;
};

export type PersonalTable = {
  readonly purpose: string;
  /** The columns named here hold nothing more than who it is. Empty: rows cannot be led back to anybody. */
  readonly belongs: readonly Belongs[];
  readonly ends: readonly End[];
  /** `delete`: the player's rows go. `keep`: they stay, and each column says what becomes of it. */
  readonly onErasure: 'delete' | 'keep';
  readonly columns: Readonly<Record<string, PersonalColumn>>;
  /** All other columns: they say nothing of a person beside what stands above. */
  readonly otherColumns: readonly string[];
};

/** A table that holds nothing about persons, with every column, so that a new one is looked at. */
export type ImpersonalTable = { readonly because: string; readonly columns: readonly string[] };
