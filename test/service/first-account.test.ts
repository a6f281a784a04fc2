import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tellCredentials } from '../../src/service/first-account.ts';
import { tempFolder } from '../helpers/temp-folder.ts';

const account = {
  accountId: 'a',
  userId: 'u',
  email: 'owner@localhost.localdomain',
  password: 'the-password',
  apiKey: 'parley_key',
  link: 'http://localhost:8080/sign-in#token=x',
};
const secret = /the-password|parley_key|token=/;

test('a terminal shows e-mail, password, key and the link that signs in', async () => {
  const said: string[] = [];
  await tellCredentials(account, { dataDir: '/nowhere', isTerminal: true, say: (line) => said.push(line) });
  expect(said.join('\n')).toBe(`Your account, on plan pro. The password and the key are shown this once:
  E-mail    owner@localhost.localdomain
  Password  the-password
  API key   parley_key
  Sign in   http://localhost:8080/sign-in#token=x
Open the sign-in link. It works once, within an hour.`);
});

test('without a terminal they are in a file that only its owner may read, and in no line', async () => {
  const dataDir = tempFolder('first-account');
  const said: string[] = [];
  await tellCredentials(account, { dataDir, isTerminal: false, say: (line) => said.push(line) });
  expect(said.join('\n')).not.toMatch(secret);
  const file = join(dataDir, 'first-account.txt');
  expect(said.join('\n')).toContain(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).toBe(`E-mail    owner@localhost.localdomain
Password  the-password
API key   parley_key
Sign in   http://localhost:8080/sign-in#token=x
`);
});
