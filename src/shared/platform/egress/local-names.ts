import type { LookupAddress } from 'node:dns';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';

/** Finds the addresses of a name that this machine knows by itself. Letter case and a trailing dot do not matter. */
export type FindLocalName = (hostname: string) => LookupAddress[] | undefined;

const LOOPBACK: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Knows the names of the hosts file, which it reads again when the file has changed, and `localhost` with all names below it
 * (RFC 6761). A name server is never asked for those. The file is small and local, so it is read without Node's threads.
 */
export function createLocalNames(hostsFile = '/etc/hosts'): FindLocalName {
  let version = '';
  let names = new Map<string, LookupAddress[]>();

  function readAgainIfChanged(): void {
    const file = statSync(hostsFile, { throwIfNoEntry: false });
    const present = file ? `${file.ino} ${file.mtimeMs} ${file.size}` : '';
    if (present === version) return;
    names = file ? parseHosts(readFileSync(hostsFile, 'utf8')) : new Map();
    version = present;
  }

  return (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    readAgainIfChanged();
    return names.get(name) ?? (/(^|\.)localhost$/.test(name) ? LOOPBACK : undefined);
  };
}

function parseHosts(text: string): Map<string, LookupAddress[]> {
  const names = new Map<string, LookupAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...aliases] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const alias of aliases) {
      const name = alias.toLowerCase().replace(/\.$/, '');
      names.set(name, [...(names.get(name) ?? []), { address, family }]);
    }
  }
  return names;
}
