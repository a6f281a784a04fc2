import { Alert, Button, Group } from '@mantine/core';
import { useState } from 'react';
import { client } from '../../../api/client.ts';
import { askPermission, readPermission, showNotification } from '../../../notify/desktop.ts';
import { playSound } from '../../../notify/sound.ts';
import { showFailure } from '../../../parts/failure.tsx';
import { showDone } from '../../../parts/show-done.tsx';
import { useSignedIn } from '../../../shell/session-context.ts';
import { words } from '../words.ts';

/** Tries each way by a click, which is also what browsers want before they show notifications. */
export const TryWays = () => {
  const { user } = useSignedIn();
  const [permission, setPermission] = useState(readPermission);
  const tryDesktop = async (): Promise<void> => {
    setPermission(await askPermission());
    const isShown = showNotification({ title: words.testTitle, text: words.testText, tag: 'parley-test' });
    if (isShown) showDone({ message: words.notificationShown });
  };
  const trySound = async (): Promise<void> => {
    const isPlayed = await playSound();
    showDone(isPlayed ? { message: words.soundPlayed } : { message: words.noSound, how: 'not' });
  };
  const tryMail = async (): Promise<void> => {
    await client.POST('/notification-settings/test-mail');
    showDone({ message: words.testMailSent(user.email) });
  };
  return (
    <>
      {permission !== 'granted' && (
        <Alert color={permission === 'default' ? 'blue' : 'yellow'} role="note">
          {words.permissions[permission]}
        </Alert>
      )}
      <Group gap="xs">
        <Button variant="default" onClick={() => void trySound().catch(showFailure)}>
          {words.trySound}
        </Button>
        <Button
          variant="default"
          disabled={permission === 'denied' || permission === 'missing'}
          onClick={() => void tryDesktop().catch(showFailure)}
        >
          {words.showNotification}
        </Button>
        <Button variant="default" onClick={() => void tryMail().catch(showFailure)}>
          {words.sendTestMail}
        </Button>
      </Group>
    </>
  );
};
