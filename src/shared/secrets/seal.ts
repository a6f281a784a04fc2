import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Where a secret lives: part of what is authenticated, so that a sealed value copied to another row does not open. */
type SecretPlace = { accountId: string; rowId: string };

/** Seals and opens the secrets of the database with the installation's master key. */
export type Secrets = {
  seal: (secret: string, place: SecretPlace) => Buffer;
  open: (sealed: Uint8Array, place: SecretPlace) => string;
};

const format = 1;
const keyIdBytes = 4;
const nonceBytes = 12;
const tagBytes = 16;

const keyIdOf = (key: Uint8Array): Buffer => createHash('sha256').update(key).digest().subarray(0, keyIdBytes);
const associated = ({ accountId, rowId }: SecretPlace): Buffer => Buffer.from(`${accountId}/${rowId}`);

/**
 * AES-256-GCM. A sealed value is `format (1 byte), key id (4), nonce (12), tag (16), ciphertext`; `previous` opens what
 * was sealed before a rotation of the master key. `open` throws when no key fits or the value was tampered with.
 */
export const createSecrets = (masterKey: Uint8Array, previous?: Uint8Array): Secrets => {
  const keys = [masterKey, ...(previous ? [previous] : [])].map((key) => ({ id: keyIdOf(key), key }));
  const currentId = keyIdOf(masterKey);
  return {
    seal: (secret, place) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', masterKey, nonce).setAAD(associated(place));
      const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(format), currentId, nonce, cipher.getAuthTag(), ciphertext]);
    },
    open: (sealed, place) => {
      const bytes = Buffer.from(sealed);
      const id = bytes.subarray(1, 1 + keyIdBytes);
      const key = keys.find((candidate) => candidate.id.equals(id));
      if (bytes[0] !== format || !key)
        throw new Error('a stored secret was sealed with a master key that is not given');
      const nonceAt = 1 + keyIdBytes;
      const tagAt = nonceAt + nonceBytes;
      const decipher = createDecipheriv('aes-256-gcm', key.key, bytes.subarray(nonceAt, tagAt))
        .setAAD(associated(place))
        .setAuthTag(bytes.subarray(tagAt, tagAt + tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(tagAt + tagBytes)), decipher.final()]).toString('utf8');
    },
  };
};
