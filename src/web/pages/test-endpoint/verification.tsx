import type { Schemas } from '../../api/client.ts';
import { Status, type Tone } from '../../parts/status.tsx';
import { words } from './words.ts';

type Result = Schemas['TestVerification']['result'];

const tones: Readonly<Record<Result, Tone>> = {
  valid: 'good',
  invalid: 'bad',
  unsigned: 'off',
  no_webhook: 'waiting',
  unchecked: 'waiting',
};

/** Whether a request is signed by a webhook of the account. */
export const VerificationStatus = ({ result }: { result: Result }) => (
  <Status tone={tones[result]}>{words.results[result]}</Status>
);
