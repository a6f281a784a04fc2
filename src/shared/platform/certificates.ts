import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

// Node reads certificates but cannot write them. These have the fields of RFC 5280 that a strict verifier asks for, and no others.

interface Certificate {
  certPem: string;
  keyPem: string;
}

export type KeyPair = { publicKey: KeyObject; privateKey: KeyObject };

export interface DevCa {
  certPem: string;
  /**
   * Creates a server certificate for these names and IP addresses. By default it is valid from yesterday for a year, signed by this
   * authority, and has a key of its own.
   */
  issue(
    hosts: string[],
    options?: { validFrom?: Date; validUntil?: Date; selfSigned?: boolean; keys?: KeyPair },
  ): Certificate;
}

/** Creates a certificate authority, valid for a year unless told otherwise. Its key stays in the memory of this process. */
export function createCa(name = 'Parley development CA', authorityUntil = inOneYear()): DevCa {
  const ca = newKeyPair();
  const certPem = writeCertificate({
    subject: name,
    issuer: name,
    publicKey: ca.publicKey,
    signingKey: ca.privateKey,
    validUntil: authorityUntil,
    extensions: [
      extension(OID.basicConstraints, sequence(TRUE), 'critical'),
      extension(OID.keyUsage, KEY_USAGE.signCertificates, 'critical'),
      extension(OID.subjectKeyIdentifier, der(OCTET_STRING, keyIdentifier(ca.publicKey))),
    ],
  });
  return {
    certPem,
    issue(hosts, { validFrom, validUntil = inOneYear(), selfSigned = false, keys = newKeyPair() } = {}) {
      const { publicKey, privateKey } = keys;
      const subject = hosts[0] ?? 'localhost';
      const signer = selfSigned ? { name: subject, publicKey, privateKey } : { name, ...ca };
      return {
        certPem: writeCertificate({
          subject,
          issuer: signer.name,
          publicKey,
          signingKey: signer.privateKey,
          ...(validFrom && { validFrom }),
          validUntil,
          extensions: [
            extension(OID.basicConstraints, sequence(), 'critical'),
            extension(OID.keyUsage, KEY_USAGE.digitalSignature, 'critical'),
            extension(OID.extendedKeyUsage, sequence(OID.serverAuth)),
            extension(OID.subjectAltName, sequence(...hosts.map(generalName))),
            extension(OID.authorityKeyIdentifier, sequence(der(0x80, keyIdentifier(signer.publicKey)))),
          ],
        }),
        keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      };
    },
  };
}

interface CertificateFields {
  subject: string;
  issuer: string;
  publicKey: KeyObject;
  signingKey: KeyObject;
  validFrom?: Date;
  validUntil: Date;
  extensions: Buffer[];
}

function writeCertificate(fields: CertificateFields): string {
  const serial = randomBytes(16);
  // DER integers are signed and minimal: a first byte of 0x40 to 0x7f keeps it positive and without padding.
  serial[0] = 0x40 | (serial.readUInt8(0) & 0x3f);
  const validFrom = fields.validFrom ?? new Date(Math.min(Date.now(), fields.validUntil.getTime()) - DAY_MS);
  const signatureAlgorithm = sequence(OID.ecdsaWithSha256);
  const toBeSigned = sequence(
    der(0xa0, der(INTEGER, Buffer.of(2))), // version 3
    der(INTEGER, serial),
    signatureAlgorithm,
    commonName(fields.issuer),
    sequence(utcTime(validFrom), utcTime(fields.validUntil)),
    commonName(fields.subject),
    fields.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...fields.extensions)),
  );
  const signature = der(BIT_STRING, Buffer.of(0), sign('sha256', toBeSigned, fields.signingKey));
  const lines =
    sequence(toBeSigned, signatureAlgorithm, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

const DAY_MS = 86_400_000;
const inOneYear = () => new Date(Date.now() + 365 * DAY_MS);

// Elliptic curve, because an RSA key takes almost a second, and every test file makes a few.
const newKeyPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const UTF8_STRING = 0x0c;
const TRUE = Buffer.of(0x01, 0x01, 0xff);

const OID = {
  ecdsaWithSha256: Buffer.from('06082a8648ce3d040302', 'hex'),
  commonName: Buffer.from('0603550403', 'hex'),
  subjectKeyIdentifier: Buffer.from('0603551d0e', 'hex'),
  keyUsage: Buffer.from('0603551d0f', 'hex'),
  subjectAltName: Buffer.from('0603551d11', 'hex'),
  basicConstraints: Buffer.from('0603551d13', 'hex'),
  authorityKeyIdentifier: Buffer.from('0603551d23', 'hex'),
  extendedKeyUsage: Buffer.from('0603551d25', 'hex'),
  serverAuth: Buffer.from('06082b06010505070301', 'hex'),
};

const KEY_USAGE = {
  digitalSignature: Buffer.of(BIT_STRING, 2, 7, 0x80),
  signCertificates: Buffer.of(BIT_STRING, 2, 1, 0x06),
};

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const lengthBytes = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...lengthBytes), content]);
}

const sequence = (...contents: Buffer[]) => der(0x30, ...contents);

const commonName = (name: string) => sequence(der(0x31, sequence(OID.commonName, der(UTF8_STRING, Buffer.from(name)))));

const utcTime = (date: Date) => der(0x17, Buffer.from(`${date.toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`));

const extension = (oid: Buffer, value: Buffer, critical?: 'critical') =>
  sequence(oid, ...(critical ? [TRUE] : []), der(OCTET_STRING, value));

const keyIdentifier = (publicKey: KeyObject) =>
  createHash('sha1')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest();

const generalName = (host: string) =>
  isIP(host) ? der(0x87, Buffer.from(ipaddr.parse(host).toByteArray())) : der(0x82, Buffer.from(host));
