// The simulated games: which clients, areas and servers they have, and who plays where. Everything follows from
// the names: nothing is stored.

import { createHash } from 'node:crypto';

export type World = {
  id: string;
  name: string;
  /** Client ids. Clients of one `world` share their characters; those of different worlds do not. */
  clients: { id: string; name: string; world: string }[];
  areas: { id: string; name: string }[];
  servers: { id: string; name: string; area_id?: string; open: boolean }[];
  /** Exactly one character per player. */
  isOneRole: boolean;
};

export type Role = { id: string; name: string; level: number; server_id: string; area_id?: string };

const emberfallServers: [name: string, area: string][] = [
  ['S1 Cinderkeep', 'asia'],
  ['S2 Emberwatch', 'asia'],
  ['S3 Jade Hollow', 'asia'],
  ['S4 暁の門', 'asia'],
  ['S5 Frosthaven', 'europe'],
  ['S6 Oakmoor', 'europe'],
  ['S7 Stormgate', 'europe'],
  ['S8 واحة النجوم', 'europe'],
  ['S9 Redwater', 'america'],
  ['S10 Sunmesa', 'america'],
  ['S11 Ironpine', 'america'],
  ['S12 Thunder Plains', 'america'],
];

const starlaneServers = ['S1 Perihelion', 'S2 Kuiper', 'S3 Meridian', 'S4 Halcyon', 'S5 Tidelock'];

const listedWorlds: World[] = [
  {
    id: 'emberfall',
    name: 'Emberfall',
    clients: [
      { id: '70011', name: 'Android', world: 'emberfall' },
      { id: '70012', name: 'iOS', world: 'emberfall' },
      { id: '70013', name: 'Web', world: 'emberfall' },
    ],
    areas: [
      { id: 'asia', name: 'Asia' },
      { id: 'europe', name: 'Europe' },
      { id: 'america', name: 'America' },
    ],
    servers: emberfallServers.map(([name, area_id], index) => ({ id: `s${index + 1}`, name, area_id, open: true })),
    isOneRole: false,
  },
  {
    id: 'starlane',
    name: 'Starlane Tactics',
    clients: [
      { id: '70021', name: 'Starlane Tactics: Vanguard', world: 'vanguard' },
      { id: '70022', name: 'Starlane Tactics: Nomads', world: 'nomads' },
    ],
    areas: [],
    servers: starlaneServers.map((name, index) => ({ id: `s${index + 1}`, name, open: true })),
    isOneRole: false,
  },
  {
    id: 'pocket-pitch',
    name: 'Pocket Pitch',
    clients: [{ id: '70031', name: 'Pocket Pitch', world: 'pocket-pitch' }],
    areas: [],
    servers: [{ id: 's1', name: 'Home Ground', open: true }],
    isOneRole: true,
  },
];

export type Worlds = ReadonlyMap<string, World>;

/** Those of the demonstration. */
export const worlds: Worlds = new Map(listedWorlds.map((world) => [world.id, world]));

/** A game of somebody's own shop, as much as a simulator needs to know of it. */
export type OwnGame = {
  id: string;
  name: string;
  clients: { id: string; name: string }[];
  hasAreas: boolean;
};

/** Games of a shop of one's own: each with a few servers, and areas where its file says so. */
export function makeWorlds(games: readonly OwnGame[]): Worlds {
  return new Map(
    games.map(({ id, name, clients, hasAreas }) => {
      const servers = hasAreas ? emberfallServers : starlaneServers.map((server) => [server, undefined] as const);
      const areas = [...new Set(emberfallServers.map(([, area]) => area))];
      return [
        id,
        {
          id,
          name,
          clients: clients.map((client) => ({ ...client, world: id })),
          areas: hasAreas ? areas.map((area) => ({ id: area, name: area[0]!.toUpperCase() + area.slice(1) })) : [],
          servers: servers.map(([server, area_id], index) => ({
            id: `s${index + 1}`,
            name: server,
            ...(area_id ? { area_id } : {}),
            open: true,
          })),
          isOneRole: false,
        },
      ];
    }),
  );
}

const characterNames = [
  'Ashwyn',
  'Brightfen',
  'Calder',
  'Dawnrunner',
  'Elowen',
  'Fenrik',
  'Galewind',
  'Hollis',
  'Ivara',
  'Juno',
  'Kestrane',
  'Larkspur',
  'Marrow',
  'Nimbus',
  'Orla',
  'Pyrrha',
  'Quillon',
  'Rowanne',
  'Sable',
  'Torvald',
  'Umbra',
  'Vesper',
  'Wrenlight',
  'Yarrow',
  'Zephyra',
  '星野ひかり',
  'فارس الصحراء',
  '달빛기사',
  '雪見',
  'Łucja',
];

/** The demo player, known by the beginning of the user id, with a character in every game. */
const demoPlayer = 'kestrel';
const demoCharacters: Record<string, [server: string, name: string, level: number][]> = {
  emberfall: [
    ['s1', 'Kestrel', 58],
    ['s4', '星野ひかり', 31],
    ['s8', 'فارس الصحراء', 27],
    ['s9', 'KestrelRed', 12],
  ],
  vanguard: [
    ['s3', 'Kestrel_07', 42],
    ['s1', 'Kes', 9],
  ],
  nomads: [['s3', 'Kestrel_07', 42]],
  'pocket-pitch': [['s1', 'Kestrel FC', 15]],
};

/** In games of somebody's own shop. */
const ownCharacters: [server: string, name: string, level: number][] = [
  ['s1', 'Kestrel', 42],
  ['s3', '星野ひかり', 7],
];

/** Players known by the beginning of the user id who have one character in every game. */
const soloPlayer = 'solo';
/** Those who have none in any. */
const newPlayer = 'newcomer';

/**
 * All characters of a player behind one client, always the same ones: one to three on each of up to three servers.
 * Undefined when the game has no such client.
 */
export function rolesOf(world: World, clientId: string, userId: string): Role[] | undefined {
  const client = world.clients.find((known) => known.id === clientId);
  if (!client) return undefined;
  if (userId.startsWith(newPlayer)) return [];
  const digest = createHash('sha256').update(`${client.world}|${userId}`).digest();
  const number = digest.readUInt32BE(0);
  const make = (serverIndex: number, slot: number, name: string, level: number): Role => {
    const server = world.servers[serverIndex]!;
    const id = String(100_000_000 + (number % 90_000_000) * 10 + slot) + String(serverIndex + 1).padStart(2, '0');
    return { id, name, level, server_id: server.id, ...(server.area_id ? { area_id: server.area_id } : {}) };
  };
  if (userId.toLowerCase().startsWith(demoPlayer)) {
    return (demoCharacters[client.world] ?? ownCharacters).map(([serverId, name, level], slot) =>
      make(
        world.servers.findIndex((server) => server.id === serverId),
        slot,
        name,
        level,
      ),
    );
  }
  const named = (place: number) => {
    const base = characterNames[digest[place]! % characterNames.length]!;
    return `${base}${digest[place + 1]! % 100}`;
  };
  const isOneRole = world.isOneRole || userId.startsWith(soloPlayer);
  if (isOneRole) return [make(digest[7]! % world.servers.length, 0, named(4), 1 + (digest[6]! % 60))];

  const roles: Role[] = [];
  const servers = new Set([7, 8, 9].map((place) => digest[place]! % world.servers.length));
  for (const serverIndex of servers) {
    const count = 1 + (digest[10 + (serverIndex % 8)]! % 3);
    for (let slot = 0; slot < count; slot++) {
      const place = 18 + ((serverIndex * 3 + slot) % 12);
      roles.push(make(serverIndex, slot, named(place), 1 + (digest[place]! % 80)));
    }
  }
  return roles;
}
