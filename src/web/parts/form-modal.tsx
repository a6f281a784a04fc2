import { Button, Group, Modal, type ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { commonWords } from '../words/common.ts';
import { FormFields } from './form.tsx';
import type { FormState } from './use-api-form.ts';
import { useFocusBack } from './use-focus-back.ts';

type Props = FormState & {
  close: () => void;
  title: string;
  /** The word on the button that sends it. */
  action: string;
  size?: ModalProps['size'];
  children: ReactNode;
};

/** A form that stands over the page until it is sent or left. Who opens it mounts it, so that it begins anew each time. */
export const FormModal = ({ close, title, action, submit, isSending, failure, size, children }: Props) => {
  useFocusBack();
  return (
    <Modal opened onClose={close} title={title} {...(size !== undefined && { size })}>
      <FormFields submit={submit} failure={failure}>
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {commonWords.cancel}
          </Button>
          <Button type="submit" loading={isSending}>
            {action}
          </Button>
        </Group>
      </FormFields>
    </Modal>
  );
};
