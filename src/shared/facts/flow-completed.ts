import { z } from 'zod';
import { declareEvent } from './fact.ts';
import { sampleIds } from './sample-ids.ts';

export const flowCompleted = declareEvent({
  name: 'flow_completed',
  meaning: 'A contact reaches the end of a flow',
  details:
    'Also the end of a flow that another one has started and waits for. A flow that fails, is cancelled or switches to another flow sends none.',
  since: '0.3',
  variants: ['api', 'dashboard'],
  data: z.object({ flow: z.object({ id: z.string(), name: z.string() }) }),
  sample: () => ({ flow: { id: sampleIds.flow, name: 'Test flow' } }),
  happened: 'Reached the end of a flow',
  tell: ({ flow }) => `Reached the end of the flow ${flow.name}`,
  topics: ['runs'],
});
