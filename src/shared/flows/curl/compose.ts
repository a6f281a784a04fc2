import type { z } from 'zod';
import type { requestSchema } from '../blocks/request-schema.ts';
import type { Auth } from './auth.ts';
import type { Body } from './body.ts';
import type { Headers } from './headers.ts';
import { replaceJsonSecrets } from './json-secrets.ts';
import { decodeTemplate, splitOnce } from './placeholders.ts';
import { isSecret, type Proposals } from './proposals.ts';
import type { ReadUrl } from './url.ts';

/** A request as a block has it, without what belongs to its flow. */
export type CurlRequest = Omit<z.input<typeof requestSchema>, 'id' | 'type' | 'next'>;

type Parts = {
  method: CurlRequest['method'];
  url: ReadUrl;
  headers: Headers;
  auth: Auth | undefined;
  body: Body | undefined;
};

/** Puts a request together. Everything that is a secret by its name becomes a credential, and the first of them that of the block. */
export const composeRequest = ({ method, url, headers, auth, body }: Parts, proposals: Proposals): CurlRequest => {
  let credential: string | undefined;
  if (auth) credential = proposals.add(auth.secret, 'credential', auth.option);
  const ownHeaders = [...headers].flatMap(([key, { name, value }]): [string, string][] => {
    if (key === 'content-type' || (key === 'authorization' && isSecret(name, value))) return [];
    if (!isSecret(name, value)) return [[name, value]];
    const secret = { type: 'header', header: name, value } as const;
    if (credential !== undefined)
      return [[name, placeholderOf(proposals.add(secret, `headers.${name}`, `-H ${name}`))]];
    credential = proposals.add(secret, 'credential', `-H ${name}`);
    return [];
  });
  const query: [string, string][] = [];
  const parameters = url.parameters.filter((parameter) => {
    const [rawName, rawValue] = splitOnce(parameter, '=');
    const [name, value] = [decodeTemplate(rawName), decodeTemplate(rawValue ?? '')];
    if (value === '' || !isSecret(name, value)) return true;
    const secret = { type: 'query', parameter: name, value } as const;
    if (credential === undefined) credential = proposals.add(secret, 'credential', `?${name}`);
    else query.push([name, placeholderOf(proposals.add(secret, `query.${name}`, `?${name}`))]);
    return false;
  });
  const contentType = body?.contentType;
  const typed = headers.get('content-type')?.name ?? 'Content-Type';
  const allHeaders = [...ownHeaders, ...(contentType === undefined ? [] : [[typed, contentType] as const])];
  return {
    method,
    url: url.base + (parameters.length === 0 ? '' : `?${parameters.join('&')}`),
    ...(credential !== undefined && { credential }),
    ...(allHeaders.length > 0 && { headers: Object.fromEntries(allHeaders) }),
    ...(query.length > 0 && { query: Object.fromEntries(query) }),
    ...(body && ofBody(body, proposals)),
  };
};

const placeholderOf = (name: string): string => `{{credential.${name}}}`;

const ofBody = (body: Body, proposals: Proposals): Partial<CurlRequest> => {
  if (body.body_type === 'json') {
    const text = replaceJsonSecrets(body.body, (key, value) =>
      placeholderOf(proposals.add({ type: 'query', parameter: key, value }, 'body', `"${key.slice(0, 40)}"`)),
    );
    return { body_type: 'json', body: text };
  }
  if (body.body_type !== 'form') return { body_type: 'raw', body: body.body };
  const form = body.form.map(([name, value]): [string, string] => {
    if (value === '' || !isSecret(name, value)) return [name, value];
    return [name, placeholderOf(proposals.add({ type: 'query', parameter: name, value }, `form.${name}`, name))];
  });
  return { body_type: 'form', form: Object.fromEntries(form) };
};
