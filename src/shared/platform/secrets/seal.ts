import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  randomBytes,
  type KeyObject,
} from 'node:crypto';

/** The place of a secret. It is authenticated as well, so that a sealed value does not open in another row. */
type SecretPlace = { accountId: string; rowId: string };

/** A master key of 32 bytes, with the id by which sealed values name their key. */
export type MasterKey = { id: Buffer; key: KeyObject };

/** The master keys of a process: the current one, which seals, and all that open. */
export type MasterKeys = {
  current: () => MasterKey;
  find: (id: Buffer) => MasterKey | undefined;
};

/** Seals and opens the secrets of the database with the installation's master key. */
export type Secrets = {
  seal: (secret: string, place: SecretPlace) => Buffer;
  open: (sealed: Uint8Array, place: SecretPlace) => string;
  /** Which keys seal and open, for those who replace them. */
  keys: MasterKeys;
};

const format = 1;
const keyIdBytes = 4;
const nonceBytes = 12;
const tagBytes = 16;

const associated = ({ accountId, rowId }: SecretPlace): Buffer => Buffer.from(`${accountId}/${rowId}`);

/**
 * Gives a master key its id, the first bytes of its SHA-256. It is a key object, because of bytes Node 24 learns by an exception, at each use,
 * that they are none: that costs more than opening.
 */
export const asMasterKey = (bytes: Uint8Array): MasterKey => ({
  id: createHash('sha256').update(bytes).digest().subarray(0, keyIdBytes),
  key: createSecretKey(bytes),
});

/** Seals with `masterKey`, and opens with it and with `previous`. During a rotation either may be the older one. */
export const createSecrets = (masterKey: Uint8Array, previous?: Uint8Array): Secrets => {
  const current = asMasterKey(masterKey);
  const keys = [current, ...(previous ? [asMasterKey(previous)] : [])];
  return createSecretsOf({ current: () => current, find: (id) => keys.find((candidate) => candidate.id.equals(id)) });
};

/**
 * AES-256-GCM. A sealed value is `format (1 byte), key id (4), nonce (12), tag (16), ciphertext`. `open` throws when no key
 * fits or the value was tampered with.
 */
export const createSecretsOf = (keys: MasterKeys): Secrets => ({
  keys,
  seal: (secret, place) => {
    const { id, key } = keys.current();
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(associated(place));
    const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(format), id, nonce, cipher.getAuthTag(), ciphertext]);
  },
  open: (sealed, place) => {
    const bytes = Buffer.from(sealed);
    const found = bytes[0] === format ? keys.find(bytes.subarray(1, 1 + keyIdBytes)) : undefined;
    if (!found) throw new Error('a stored secret was sealed with a master key that is not given');
    const nonceAt = 1 + keyIdBytes;
    const tagAt = nonceAt + nonceBytes;
    const decipher = createDecipheriv('aes-256-gcm', found.key, bytes.subarray(nonceAt, tagAt))
      .setAAD(associated(place))
      .setAuthTag(bytes.subarray(tagAt, tagAt + tagBytes));
    return Buffer.concat([decipher.update(bytes.subarray(tagAt + tagBytes)), decipher.final()]).toString('utf8');
  },
});
