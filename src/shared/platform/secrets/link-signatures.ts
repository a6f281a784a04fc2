import { createHmac, hkdfSync, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { MasterKey, Secrets } from './seal.ts';

/** Signs what a link says, and checks it. Links of a master key that is being replaced hold while that opens. */
export type LinkSignatures = {
  sign: (text: string) => string;
  isRight: (text: string, signature: string) => boolean;
};

/** Signatures for links of one purpose: those of another are never right. */
export const createLinkSignatures = (secrets: Pick<Secrets, 'keys'>, purpose: string): LinkSignatures => {
  const derived = new WeakMap<KeyObject, Buffer>();
  const keyOf = ({ key }: MasterKey): Buffer => {
    const known = derived.get(key) ?? Buffer.from(hkdfSync('sha256', key, '', `parley/${purpose}`, 32));
    derived.set(key, known);
    return known;
  };
  const signBy = (key: MasterKey, text: string): Buffer =>
    Buffer.concat([key.id, createHmac('sha256', keyOf(key)).update(text).digest()]);
  return {
    sign: (text) => signBy(secrets.keys.current(), text).toString('base64url'),
    isRight: (text, signature) => {
      const given = Buffer.from(signature, 'base64url');
      const key = secrets.keys.find(given.subarray(0, 4));
      if (!key) return false;
      const right = signBy(key, text);
      return given.length === right.length && timingSafeEqual(given, right);
    },
  };
};
