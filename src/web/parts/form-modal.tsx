import { Button, Group, Modal, Stack, type ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from './failure.tsx';
import { useFocusBack } from './use-focus-back.ts';

type Props = {
  isOpen: boolean;
  close: () => void;
  title: string;
  /** The word on the button that sends it. */
  action: string;
  submit: () => void;
  isSending: boolean;
  /** Why it was refused, as far as that belongs to no field. */
  failure: unknown;
  size?: ModalProps['size'];
  children: ReactNode;
};

/** A form that stands over the page until it is sent or left. */
export const FormModal = ({ isOpen, close, title, action, submit, isSending, failure, size, children }: Props) => {
  const { t } = useTranslation('shell');
  useFocusBack(isOpen);
  return (
    <Modal opened={isOpen} onClose={close} title={title} {...(size !== undefined && { size })}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Stack gap="sm">
          {failure ? <Failure error={failure} /> : null}
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={isSending}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};
