import { notifications } from '@mantine/notifications';
import { t as say } from 'i18next';
import { client } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { confirm } from '../../parts/confirm.tsx';

/** Makes a version the draft again, after asking. */
export const restoreVersion = (flowId: string, version: number, then?: () => void): void =>
  confirm({
    title: say('draft:restoreTitle', { version }),
    children: say('draft:restoreText'),
    action: say('draft:restore'),
    isDangerous: true,
    onConfirm: async () => {
      const path = { id: flowId, version: String(version) };
      await client.POST('/flows/{id}/versions/{version}/restore', { params: { path } });
      await invalidate('/flows');
      notifications.show({ message: say('draft:restored', { version }), color: 'green' });
      then?.();
    },
  });
