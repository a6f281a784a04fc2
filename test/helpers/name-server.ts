import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** What it says to a question: addresses of the family asked for, that there is no such name, or nothing at all. */
export type Reply = { type: 'addresses'; addresses: readonly string[] } | { type: 'unknown' } | { type: 'silent' };

export type NameServer = {
  /** As `dns.Resolver` takes it. */
  address: string;
  /** The questions so far, as `name A` or `name AAAA`, repeated ones included. */
  asked: string[];
  close: () => void;
};

const ipv6Type = 28;

/** A real name server on a free UDP port of 127.0.0.1; `reply` gets the name in lower case. */
export const startNameServer = async (reply: (name: string, type: 'A' | 'AAAA') => Reply): Promise<NameServer> => {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    const { name, end } = readName(message);
    const question = message.subarray(12, end + 4);
    const type = message.readUInt16BE(end) === ipv6Type ? 'AAAA' : 'A';
    asked.push(`${name} ${type}`);
    const said = reply(name, type);
    if (said.type === 'silent') return;
    const records =
      said.type === 'addresses' ? said.addresses.filter((one) => one.includes(':') === (type === 'AAAA')) : [];
    const head = Buffer.alloc(12);
    message.copy(head, 0, 0, 2);
    // An answer; recursion was desired and is available; 3 is "no such name".
    head.writeUInt16BE(0x8180 | (said.type === 'unknown' ? 3 : 0), 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(records.length, 6);
    const answer = Buffer.concat([head, question, ...records.map((record) => showRecord(record, type))]);
    socket.send(answer, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, asked, close: () => socket.close() };
};

/** The name of a message's question, and where it ends. */
const readName = (message: Buffer): { name: string; end: number } => {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
};

/** An address of the name in the question, good for no time at all. */
const showRecord = (address: string, type: 'A' | 'AAAA'): Buffer => {
  const bytes = type === 'A' ? address.split('.').map(Number) : bytesOfIPv6(address);
  return Buffer.from([0xc0, 12, 0, type === 'A' ? 1 : ipv6Type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]);
};

/** Of an address in which `::` stands once, or not at all. */
const bytesOfIPv6 = (address: string): number[] => {
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail].flatMap((group) => [Number(`0x${group}`) >> 8, Number(`0x${group}`) & 0xff]);
};
