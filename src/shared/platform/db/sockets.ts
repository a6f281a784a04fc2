import { Socket } from 'node:net';

/** Where the server is, as postgres.js passes it to its option `socket`. Several hosts are tried in turn. */
type Address = { host: readonly string[]; port: readonly number[]; path: string | false; ssl: unknown };

/** The sockets of one pool. postgres.js shows them only to its option `socket`, which opens them. */
export type Sockets = {
  open: (address: Address) => Socket;
  /** Destroys all open sockets, and each that is opened later. */
  cutOff: () => void;
  /** How many bytes have come from the server on the open sockets. */
  received: () => number;
  /** Whether the sockets speak TLS. A refused connection then looks like a lost one, and `onLoss` is never called. */
  readonly encrypted: boolean;
};

/** ReadyForQuery, idle: the last message of the server when it accepts a connection. */
const readyForQuery = Buffer.from('Z\0\0\0\x05I', 'latin1');

const cutOffError = (): Error => new Error('the pool of this connection has been replaced');

/** Calls `onLoss` when a connection is lost that the server had accepted, never for a refused one. */
export const createSockets = (onLoss: () => void): Sockets => {
  const opened = new Set<Socket>();
  let turns = 0;
  let encrypted = false;
  let cut = false;

  const connect = (socket: Socket, { host, port, path }: Address): void => {
    const turn = turns++ % host.length;
    const [name = 'localhost', number = 5432] = [host[turn], port[turn]];
    if (socket.destroyed) return;
    if (cut) {
      socket.destroy(cutOffError());
      return;
    }
    // postgres.js reads the host for errors and for the server's certificate.
    if (!path) Object.assign(socket, { host: name, port: number });
    socket.connect(path ? { path } : { host: name, port: number });
    socket.uncork();
  };

  return {
    open: (address) => {
      // Under TLS postgres.js removes all listeners of a socket, so none would tell of its end.
      for (const former of opened) if (former.destroyed) opened.delete(former);
      encrypted = Boolean(address.ssl);
      const socket = new Socket();
      opened.add(socket);
      socket.on('data', function look(bytes: Buffer) {
        if (!bytes.includes(readyForQuery)) return;
        socket.off('data', look);
        socket.once('close', onLoss);
      });
      // postgres.js adds its listeners and writes before the socket is connected. A failure must not come earlier.
      socket.cork();
      setImmediate(() => setImmediate(connect, socket, address));
      return socket;
    },
    cutOff: () => {
      cut = true;
      for (const socket of opened) socket.destroy(cutOffError());
    },
    received: () => Array.from(opened, ({ bytesRead }) => bytesRead).reduce((sum, bytes) => sum + bytes, 0),
    get encrypted() {
      return encrypted;
    },
  };
};
