import { JsonInput, Select } from '@mantine/core';
import { useNavigate } from 'react-router';
import { z } from 'zod';
import { parseJson } from '../../../../shared/platform/json/parse-json.ts';
import { newEnrollment } from '../../../../shared/runs/schema.ts';
import { client } from '../../../api/client.ts';
import { invalidate } from '../../../api/query-client.ts';
import { FormModal } from '../../../parts/form-modal.tsx';
import { useApiForm } from '../../../parts/use-api-form.ts';
import { useList } from '../../../parts/use-list.ts';
import { words } from './words.ts';

type Written = { flow_id: string | null; params: string };

/** The JSON of a text, undefined for one that is none. */
const readJson = (text: string): unknown => {
  try {
    return text.trim() === '' ? {} : parseJson(text);
  } catch {
    return undefined;
  }
};

/** Enrolls the contact in a flow, and goes to its run. */
export const Enroll = ({ contactId, close }: { contactId: string; close: () => void }) => {
  const navigate = useNavigate();
  const { rows: flows } = useList('/flows', { query: { status: 'live' }, limit: 200 });
  const params = newEnrollment.shape.params;
  const { form, ...state } = useApiForm<Written>({
    initialValues: { flow_id: null, params: '' },
    schema: z.custom<Written>().superRefine((written, ctx) => {
      const json = readJson(written.params);
      const problem = json === undefined ? words.paramsWrong : params.safeParse(json).error?.issues[0]?.message;
      if (problem !== undefined) ctx.addIssue({ code: 'custom', path: ['params'], message: problem });
    }),
    onSubmit: async ({ flow_id, params: text }) => {
      const body = { flow_id: flow_id ?? '', params: params.parse(readJson(text)) };
      const { data } = await client.POST('/contacts/{id}/flows', { params: { path: { id: contactId } }, body });
      await invalidate('/runs', '/contacts', '/flows');
      if (data) await navigate(`/runs/${data.id}`);
    },
  });
  return (
    <FormModal {...state} close={close} title={words.enroll} action={words.enroll}>
      <Select
        label={words.flow}
        data={(flows ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        {...(flows?.length === 0 && { description: words.noFlows })}
        searchable
        required
        {...form.getInputProps('flow_id')}
      />
      <JsonInput
        label={words.params}
        description={words.paramsHint}
        autosize
        minRows={2}
        maxRows={10}
        validationError={words.paramsWrong}
        {...form.getInputProps('params')}
      />
    </FormModal>
  );
};
