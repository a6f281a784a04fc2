import { t as say } from 'i18next';
import { runStatus } from '../words/en/run-status.ts';

type Known = keyof typeof runStatus.reasons;

const isKnown = (reason: string): reason is Known => Object.hasOwn(runStatus.reasons, reason);

/** Why a run or a step ended as it did, in words; as the API has it where there are none. */
export const sayRunReason = (reason: string): string => {
  const [, status] = /^status_(\d{3})$/.exec(reason) ?? [];
  if (status !== undefined) return say('runStatus:answered', { status });
  return isKnown(reason) ? say(`runStatus:reasons.${reason}`) : reason;
};
