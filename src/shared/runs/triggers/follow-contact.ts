import type { PrivateReaction } from '../../facts/tell.ts';
import { wakeRunsOf } from '../life/wake-runs.ts';

/** What runs wait by: a contact's clock, and while automation is paused. */
const waitedBy = ['time_zone', 'automation_paused_until'];

/** Wakes the open runs of a contact when what they wait by has changed. */
export const followContact: PrivateReaction = async (tx, fact) => {
  if (fact.name !== 'contact_changed' || !fact.fields.some((field) => waitedBy.includes(field))) return;
  await wakeRunsOf(tx, fact.contactId, { except: fact.byRunId });
};
