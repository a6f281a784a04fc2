import { runStatusWords } from '../words/run-status.ts';

type Known = keyof typeof runStatusWords.reasons;

const isKnown = (reason: string): reason is Known => Object.hasOwn(runStatusWords.reasons, reason);

/** Why a run or a step ended as it did, in words; as the API has it where there are none. */
export const sayRunReason = (reason: string): string => {
  const [, status] = /^status_(\d{3})$/.exec(reason) ?? [];
  if (status !== undefined) return runStatusWords.answered(status);
  const [, rule] = /^success_when_(\d{1,2})$/.exec(reason) ?? [];
  if (rule !== undefined) return runStatusWords.unmet(rule);
  return isKnown(reason) ? runStatusWords.reasons[reason] : reason;
};
