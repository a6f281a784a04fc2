import { connectDatabase } from '../../../src/shared/platform/db/connect.ts';
import { rollUpActivity } from '../../../src/shared/statistics/roll-up-activity.ts';

// A process that rolls up the hours which are due at a time, and may be killed meanwhile.

const [target = '', now = ''] = process.argv.slice(2);
await rollUpActivity(connectDatabase(target, { max: 1 }), { now: new Date(now) });
