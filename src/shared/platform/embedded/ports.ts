import { randomInt } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { listByLsof, listLinuxPids, readLink } from './processes.ts';

/**
 * Ports that are kept over restarts come from below the range that systems hand to outgoing connections (from 32768 on Linux,
 * 49152 elsewhere): a connection of any program could sit on one of those at the next start.
 */
const keptRange = { from: 10_240, to: 32_768 };

export type HeldPort = { port: number; release: () => Promise<void> };

/** Holds a loopback port until its user listens on it. Undefined when it is taken. Connections are refused meanwhile. */
export async function holdPort(port: number): Promise<HeldPort | undefined> {
  const server = createServer((socket) => socket.destroy());
  const held = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(true));
  });
  if (!held) return undefined;
  // It must not keep a process alive.
  server.unref();
  return { port, release: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** Whether a server can listen on this loopback port now. */
export async function isPortFree(port: number): Promise<boolean> {
  const held = await holdPort(port);
  await held?.release();
  return held !== undefined;
}

const picked = new Set<number>();

/** A free loopback port that will probably still be free at the next start. Never the same one twice. */
export async function pickPort(): Promise<number> {
  for (let tries = 0; tries < 200; tries += 1) {
    const port = randomInt(keptRange.from, keptRange.to);
    if (picked.has(port) || !(await isPortFree(port))) continue;
    picked.add(port);
    return port;
  }
  throw new Error(`no free port found between ${keptRange.from} and ${keptRange.to}`);
}

/** The pids that listen on this TCP port, as far as this user may see them: another user's process stays unseen. */
export function findListeners(port: number): number[] {
  return process.platform === 'linux' ? findLinuxListeners(port) : listByLsof(listenersOf(port));
}

/** Whether this process listens on the port. */
export function isListening(pid: number, port: number): boolean {
  return process.platform === 'linux'
    ? holdsAny(pid, listeningSockets(port))
    : listByLsof(listenersOf(port)).includes(pid);
}

function findLinuxListeners(port: number): number[] {
  const sockets = listeningSockets(port);
  if (sockets.size === 0) return [];
  return listLinuxPids().filter((pid) => holdsAny(pid, sockets));
}

/** `/proc/net/tcp` names the socket of a port by its inode; the owner shows the same inode among its descriptors. */
function listeningSockets(port: number): Set<string> {
  const listening = '0A';
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  const sockets = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readOrEmpty(table).split('\n').slice(1)) {
      const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
      if (state === listening && local?.endsWith(`:${hexPort}`)) sockets.add(`socket:[${inode}]`);
    }
  }
  return sockets;
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // No tcp6 table where IPv6 is off.
    return '';
  }
}

function holdsAny(pid: number, sockets: Set<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => sockets.has(readLink(`/proc/${pid}/fd/${fd}`) ?? ''));
  } catch {
    // Another user's process, or one that has just ended.
    return false;
  }
}

function listenersOf(port: number): string[] {
  return ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN'];
}
