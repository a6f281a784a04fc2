import { Socket } from 'node:net';

/** Where the server is, as postgres.js hands it to its option `socket`; of several hosts each is tried in turn. */
type Address = { host: readonly string[]; port: readonly number[]; path: string | false; ssl: unknown };

/** The sockets of one pool, which postgres.js opens through its option `socket` and otherwise shows to nobody. */
export type Sockets = {
  open: (address: Address) => Socket;
  /** Cuts off those that are open, and whichever is opened after this. */
  cutOff: () => void;
  /** Bytes that have come from the server so far on those that are open. */
  received: () => number;
  /** Whether they speak TLS, behind which a refusal cannot be told from a loss: `onLoss` is never called then. */
  readonly encrypted: boolean;
};

/** ReadyForQuery, idle: what the server says last when it has let a connection in. */
const readyForQuery = Buffer.from('Z\0\0\0\x05I', 'latin1');

const cutOffError = (): Error => new Error('the pool of this connection has been replaced');

/** `onLoss` is called when a connection is gone that the server had let in: not for one that it has refused. */
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
    // For the name in errors and in the server's certificate.
    if (!path) Object.assign(socket, { host: name, port: number });
    socket.connect(path ? { path } : { host: name, port: number });
    socket.uncork();
  };

  return {
    open: (address) => {
      // Under TLS, postgres.js takes all listeners off a socket: none would tell of its end.
      for (const former of opened) if (former.destroyed) opened.delete(former);
      encrypted = Boolean(address.ssl);
      const socket = new Socket();
      opened.add(socket);
      socket.on('data', function look(bytes: Buffer) {
        if (!bytes.includes(readyForQuery)) return;
        socket.off('data', look);
        socket.once('close', onLoss);
      });
      // postgres.js listens and writes before it is connected: a failure must not come before both are done.
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
