import { randomBytes, randomUUID } from 'node:crypto';
import type { Egress } from '../platform/egress/client.ts';
import { equalSecrets } from '../platform/secrets/tokens.ts';
import { askEndpoint } from './ask-endpoint.ts';
import type { EndpointCheck } from './schema.ts';
import type { Endpoint } from '../signing/signed-post.ts';

/** A new challenge: its random value, and what to send (specification 2.4). */
export const createChallenge = (): { value: string; id: string; body: Uint8Array } => {
  const value = randomBytes(24).toString('base64url');
  return { value, id: `chl_${randomUUID()}`, body: Buffer.from(JSON.stringify({ challenge: value })) };
};

/**
 * Asks an endpoint for its consent (specification 2.4) by a signed POST of `{"challenge":"<random>"}`. The endpoint passes when it answers 200
 * and returns the value, as JSON `{"challenge": …}`, as a JSON string or as bare text.
 */
export const sendChallenge = async (egress: Egress, endpoint: Endpoint): Promise<EndpointCheck> => {
  const { value, ...content } = createChallenge();
  const { check, answer } = await askEndpoint(egress, endpoint, content);
  if (!check.ok || returnsChallenge(answer, value)) return check;
  return { ...check, ok: false, reason: 'challenge', message: 'answered 200 without the value of the challenge' };
};

/** Whether an answer returns the value of the challenge, in one of the three forms. */
export const returnsChallenge = (answer: string, challenge: string): boolean =>
  equalSecrets(returnedValue(answer.trim()), challenge);

const returnedValue = (text: string): string => {
  const answer = parseJson(text);
  if (typeof answer === 'string') return answer;
  const inObject =
    typeof answer === 'object' && answer !== null && 'challenge' in answer ? answer.challenge : undefined;
  return typeof inObject === 'string' ? inObject : text;
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // Bare text is one of the accepted forms.
    return undefined;
  }
};
