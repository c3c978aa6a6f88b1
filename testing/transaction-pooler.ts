// A pooler in front of PostgreSQL that knows nothing of prepared statements: PgBouncer before 1.21, for tests. It gives
// a client a connection for one transaction, and takes it back.
import { type AddressInfo, createServer, type Socket } from 'node:net';
import pg from 'pg';

const AUTHENTICATED = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
const QUERY = 0x51;
const READY_FOR_QUERY = 0x5a;
const TERMINATE = 0x58;
const IDLE = 0x49;

type Server = { readonly stream: Socket; client: Client | null };
type Client = { readonly socket: Socket; server: Server | null; readonly waiting: Buffer[] };

/** @param mode `statement` refuses transactions as PgBouncer does */
export async function startTransactionPooler(url: string, mode: 'transaction' | 'statement' = 'transaction') {
  const servers = await Promise.all([openServer(url), openServer(url)]);
  const free: Server[] = [...servers];
  const queue: Client[] = [];
  const flush = (client: Client) => {
    client.server ??= free.pop() ?? null;
    if (!client.server) return void (queue.includes(client) || queue.push(client));
    client.server.client = client;
    for (const message of client.waiting.splice(0)) client.server.stream.write(message);
  };
  for (const server of servers)
    server.stream.on(
      'data',
      splitter(1, (message) => {
        server.client?.socket.write(message);
        if (message[0] !== READY_FOR_QUERY || message[5] !== IDLE) return;
        if (server.client) server.client.server = null;
        server.client = null;
        free.push(server);
        const next = queue.shift();
        if (next) flush(next);
      }),
    );
  const sockets = new Set<Socket>();
  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    const client: Client = { socket, server: null, waiting: [] };
    const read = splitter(1, (message) => {
      if (message[0] === TERMINATE) return void socket.end();
      const isBegin = message[0] === QUERY && message.toString('utf8', 5).startsWith('begin');
      if (mode === 'statement' && isBegin)
        return void socket.write(
          Buffer.concat([refusal('transaction blocks not allowed in statement pooling mode'), READY]),
        );
      client.waiting.push(message);
      flush(client);
    });
    // The first message has no type.
    const start = splitter(0, () => {
      socket.off('data', start);
      socket.on('data', read);
      socket.write(Buffer.concat([AUTHENTICATED, READY]));
    });
    socket.on('data', start);
  });
  await new Promise<void>((resolve) => {
    listener.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: Object.assign(new URL(url), { port: String((listener.address() as AddressInfo).port) }).href,
    close: () => {
      for (const socket of sockets) socket.destroy();
      for (const { stream } of servers) stream.destroy();
      listener.close();
    },
  };
}

/** Logs in by the library, then speaks the protocol itself. */
async function openServer(url: string): Promise<Server> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.removeAllListeners('data');
  stream.on('error', () => undefined);
  return { stream, client: null };
}

/** Cuts a stream into messages. @param head bytes before the length, which counts itself and not them */
function splitter(head: 0 | 1, onMessage: (message: Buffer) => void): (data: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (data) => {
    rest = Buffer.concat([rest, data]);
    while (rest.length >= head + 4) {
      const end = head + rest.readUInt32BE(head);
      if (rest.length < end) return;
      const message = rest.subarray(0, end);
      rest = rest.subarray(end);
      onMessage(message);
    }
  };
}

function refusal(text: string): Buffer {
  const fields = Buffer.from(`SERROR\0C08P01\0M${text}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeUInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
