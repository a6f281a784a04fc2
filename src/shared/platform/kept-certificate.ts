import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCa } from './certificates.ts';

const dayMs = 86_400_000;

/** A process that starts with a certificate may run for as long as this. */
const leastLeftMs = 90 * dayMs;
const lastsMs = 5 * 365 * dayMs;

type Certificate = {
  certPem: string;
  keyPem: string;
  /** The authority that Parley is to trust, and its file. */
  caPem: string;
  caFile: string;
};

/**
 * The certificate for this machine's own names, made once and kept in this folder: whoever trusts its authority need not be started again. The
 * authority's key is thrown away, so it signs nothing else.
 */
export const keptCertificate = async (folder: string, name: string): Promise<Certificate> => {
  const caFile = join(folder, 'ca.pem');
  const certFile = join(folder, 'certificate.pem');
  const keyFile = join(folder, 'key.pem');
  if (!(await isValid({ certFile, keyFile, caFile }))) {
    const validUntil = new Date(Date.now() + lastsMs);
    const ca = createCa(name, validUntil);
    const { certPem, keyPem } = ca.issue(['localhost', '127.0.0.1'], { validUntil });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(keyFile, keyPem, { mode: 0o600 });
    await writeFile(caFile, ca.certPem);
    await writeFile(certFile, certPem);
  }
  return {
    certPem: await readFile(certFile, 'utf8'),
    keyPem: await readFile(keyFile, 'utf8'),
    caPem: await readFile(caFile, 'utf8'),
    caFile,
  };
};

type Files = { certFile: string; keyFile: string; caFile: string };

/** Whether the files are there, belong together, and last. What a crash cut off is made anew. */
const isValid = async ({ certFile, keyFile, caFile }: Files): Promise<boolean> => {
  try {
    const certificate = new X509Certificate(await readFile(certFile));
    return (
      certificate.checkPrivateKey(createPrivateKey(await readFile(keyFile))) &&
      certificate.checkIssued(new X509Certificate(await readFile(caFile))) &&
      certificate.validToDate.getTime() > Date.now() + leastLeftMs
    );
  } catch {
    return false;
  }
};
