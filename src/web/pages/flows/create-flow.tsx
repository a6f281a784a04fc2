import { Radio, Stack } from '@mantine/core';
import { useNavigate } from 'react-router';
import { client } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { FormModal } from '../../parts/form-modal.tsx';
import { NameInput } from '../../parts/name-input.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { exampleFile, exampleNames, type ExampleName } from './examples.ts';
import { words } from './words.ts';

type Props = { close: () => void };

/** Creates a flow by its name, from an example or empty, and goes to it. The test endpoint is the shop of an example, where there is one. */
export const CreateFlow = ({ close }: Props) => {
  const navigate = useNavigate();
  const { installation } = useSignedIn();
  const initialValues: { name: string; example: ExampleName } = { name: '', example: 'shirts' };
  const { form, ...sending } = useApiForm({
    initialValues,
    onSubmit: async ({ name, example }) => {
      const { data: shop } = installation.test_endpoint ? await client.GET('/test-endpoint') : {};
      const body = exampleFile(example, name.trim(), shop?.url);
      const { data } = await client.POST('/flows/import', { body });
      await invalidate('/flows', '/custom-fields');
      if (data) await navigate(`/flows/${data.flow.id}${example === 'empty' ? '?tab=json' : ''}`);
    },
  });
  return (
    <FormModal {...sending} close={close} title={words.create} action={words.create}>
      <NameInput hint={words.nameHint} {...form.getInputProps('name')} />
      <Radio.Group label={words.beginWith} {...form.getInputProps('example')}>
        <Stack gap="xs" mt="xs">
          {exampleNames.map((example) => (
            <Radio
              key={example}
              value={example}
              label={words.examples[example].name}
              description={words.examples[example].hint}
            />
          ))}
        </Stack>
      </Radio.Group>
    </FormModal>
  );
};
