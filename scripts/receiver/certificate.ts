import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCa } from '../dev-ca.ts';

const dayMs = 86_400_000;

type Certificate = {
  certPem: string;
  keyPem: string;
  /** The file with the authority that Parley is to trust. */
  caFile: string;
};

/** The certificate for this machine's own names, made once and kept in this folder, because a Parley that trusts it must not be started again. */
export const keptCertificate = async (folder: string): Promise<Certificate> => {
  const caFile = join(folder, 'ca.pem');
  const certFile = join(folder, 'certificate.pem');
  const keyFile = join(folder, 'key.pem');
  if (!(await isValid(certFile))) {
    const ca = createCa("Parley's trial receiver");
    const { certPem, keyPem } = ca.issue(['localhost', '127.0.0.1']);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(keyFile, keyPem, { mode: 0o600 });
    await writeFile(caFile, ca.certPem);
    await writeFile(certFile, certPem);
  }
  return { certPem: await readFile(certFile, 'utf8'), keyPem: await readFile(keyFile, 'utf8'), caFile };
};

/** Whether there is one that lasts another day. */
const isValid = async (certFile: string): Promise<boolean> =>
  existsSync(certFile) && new X509Certificate(await readFile(certFile)).validToDate.getTime() > Date.now() + dayMs;
