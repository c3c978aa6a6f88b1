// The two sides of a shop. A process, its database, its providers' accounts and its games are of one
// environment; nothing crosses over.

/** `demo`: simulators and providers' sandboxes, no money. `live`: players' money. */
export type Environment = 'demo' | 'live';
