import { enrollContact } from '../../../shared/runs/life/enroll.ts';
import { enrollmentBody, newEnrollment, showEnrollment } from '../../../shared/runs/schema.ts';
import { endpoint } from '../../endpoint.ts';
import type { Resource } from '../../resource.ts';

/** How a contact gets into a flow by the API. */
export const addEnrollment = (runs: Resource): void =>
  endpoint(
    runs,
    {
      id: 'enrollContact',
      method: 'post',
      path: '/contacts/:id/flows',
      summary: 'Enroll a contact in a flow',
      description: 'Answers at once; the run continues in the background.',
      role: 'editor',
      noun: 'contact',
      idempotent: true,
      body: newEnrollment,
      repairsTexts: true,
      answers: { 201: enrollmentBody },
      refusals: {
        404: 'There is no such contact or flow.',
        409: 'For a flow that is not live, for a contact that is in it already, and for an External Request whose chain of runs has begun 1,000 in this hour.',
        429: 'Too many requests, or too many runs of the account that wait for their first step: 10,000.',
      },
    },
    async ({ tx, principal: { accountId }, id: contactId, body }) => {
      const { version, ...run } = await enrollContact(tx, {
        accountId,
        contactId,
        flowId: body.flow_id,
        params: body.params,
      });
      return showEnrollment({ ...run, flowVersion: version });
    },
  );
