import { createCa, type DevCa } from '../../src/shared/platform/certificates.ts';

export { createCa, type DevCa, type KeyPair } from '../../src/shared/platform/certificates.ts';

/** The names and addresses that a test receiver answers to. */
export const loopbackHosts = ['localhost', '127.0.0.1', '::1'];

let shared: DevCa | undefined;

/** One authority for all receivers of a test file: whoever trusts it trusts each of them. */
export function testCa(): DevCa {
  shared ??= createCa('Parley test CA');
  return shared;
}
