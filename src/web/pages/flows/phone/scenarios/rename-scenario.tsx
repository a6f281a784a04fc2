import { FormModal } from '../../../../parts/form-modal.tsx';
import { NameInput } from '../../../../parts/name-input.tsx';
import { useApiForm } from '../../../../parts/use-api-form.ts';
import type { Scenario, Scenarios } from './use-scenarios.ts';
import { words } from './words.ts';

type Props = { scenario: Scenario; scenarios: Scenarios; close: () => void };

export const RenameScenario = ({ scenario, scenarios, close }: Props) => {
  const { form, ...sending } = useApiForm({
    initialValues: { name: scenario.name },
    onSubmit: async ({ name }) => {
      await scenarios.rename(scenario, name.trim());
      close();
    },
  });
  return (
    <FormModal {...sending} close={close} title={words.renameTitle(scenario.name)} action={words.rename}>
      <NameInput hint={words.nameHint} maxLength={100} {...form.getInputProps('name')} />
    </FormModal>
  );
};
