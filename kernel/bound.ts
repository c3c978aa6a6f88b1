// Bounds a session that a game opened: it may pay for one client of a game, perhaps for one character.

/** Fields that are left out are not bound. */
export type Bound = {
  readonly client_id: string;
  readonly server_id?: string;
  readonly area_id?: string;
  readonly role_id?: string;
};

const KEYS = ['client_id', 'server_id', 'area_id', 'role_id'] as const;

/** @param bound null: everything of the account. An area that is left out is an empty one. */
export function isWithinBound(
  bound: Bound | null,
  target: { client_id: string; server_id: string; area_id?: string | undefined; role_id: string },
): boolean {
  return bound === null || KEYS.every((key) => bound[key] === undefined || bound[key] === (target[key] ?? ''));
}
