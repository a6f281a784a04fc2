import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createCa } from '../../../src/shared/platform/certificates.ts';
import { keptCertificate } from '../../../src/shared/platform/kept-certificate.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

const folder = tempFolder('certificates');
afterAll(() => rm(folder, { recursive: true, force: true }));

const keep = (name = 'Ours') => keptCertificate(join(folder, 'kept'), name);

test('the key of a kept certificate is its owner’s alone, and a start keeps what is there', async () => {
  const first = await keep();
  expect((await stat(join(folder, 'kept', 'key.pem'))).mode & 0o777).toBe(0o600);
  expect((await stat(join(folder, 'kept'))).mode & 0o777).toBe(0o700);
  expect(await keep()).toEqual(first);
});

test('a kept certificate that lasts no further quarter, or lacks its key, is made anew', async () => {
  const first = await keep();
  const soon = createCa().issue(['localhost'], { validUntil: new Date(Date.now() + 89 * 86_400_000) });
  await writeFile(join(folder, 'kept', 'certificate.pem'), soon.certPem);
  const renewed = await keep();
  expect([soon.certPem, first.certPem]).not.toContain(renewed.certPem);
  expect(renewed.keyPem).not.toBe(first.keyPem);
  await writeFile(join(folder, 'kept', 'key.pem'), '');
  expect((await keep()).keyPem).not.toBe(renewed.keyPem);
});
