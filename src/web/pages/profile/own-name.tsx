import { TextInput } from '@mantine/core';
import { profileChanges } from '../../../shared/users/schema.ts';
import { client } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { Form } from '../../parts/form.tsx';
import { showDone } from '../../parts/show-done.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { commonWords } from '../../words/common.ts';
import { userWords } from '../../words/users.ts';
import { words } from './words.ts';

/** What colleagues call the signed-in user. */
export const OwnName = () => {
  const { user } = useSignedIn();
  const { form, ...sending } = useApiForm({
    initialValues: { name: user.name ?? '' },
    schema: profileChanges,
    onSubmit: async (body) => {
      await client.PATCH('/profile', { body });
      await invalidate('/users', '/session');
      showDone({ message: words.nameSaved });
    },
  });
  return (
    <Form {...sending} action={commonWords.save} maw={400}>
      <TextInput
        label={userWords.name}
        description={userWords.nameHint}
        autoComplete="name"
        required
        {...form.getInputProps('name')}
      />
    </Form>
  );
};
