// The states of a share: not whole, loading, locked, gone, open.
import { type SyntheticEvent, useCallback, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { type Access, type Answer, Refusal, send, useAnswer } from './ask.ts';
import { AppHeader } from './pieces.tsx';
import { Shared } from './shared.tsx';

export function SharePage({ secret }: { secret: string }) {
  const t = useTranslations('share');
  // The pass is in the memory of the page alone, so a reload asks for the password again.
  const [pass, setPass] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  const onOpen = useCallback((pass: string | null) => {
    setPass(pass);
    setOpen(true);
  }, []);
  if (!/^lfs_[0-9a-f]{32}$/.test(secret)) return <Message title={t('notWhole')} text={t('notWholeText')} />;
  if (!isOpen) return <Door secret={secret} onOpen={onOpen} />;
  return <Opened access={{ secret, pass }} onOpen={onOpen} />;
}

type OnOpen = (pass: string | null) => void;

/** Asks for the password, if there is one. A refusal would say so, too, but browsers report it as a fault of the page. */
function Door({ secret, onOpen }: { secret: string; onOpen: OnOpen }) {
  const { data, error } = useAnswer('/api/share/lock', { secret, pass: null });
  const isOpen = data?.locked === false;
  useEffect(() => {
    if (isOpen) onOpen(null);
  }, [isOpen, onOpen]);
  if (error) return <Missing error={error} />;
  if (data?.locked) return <Locked secret={secret} app={data.app} onOpen={onOpen} />;
  return <Loading />;
}

function Opened({ access, onOpen }: { access: Access; onOpen: OnOpen }) {
  const { data, error } = useAnswer('/api/share', access);
  useEffect(() => {
    document.title = data ? `${data.share.name} · ${data.share.app.name}` : 'Landfall';
  }, [data]);
  // Its password is new, or half a day old.
  if (error?.code === 'SHARE_LOCKED') return <Door secret={access.secret} onOpen={onOpen} />;
  if (data) return <Shared share={data.share} access={access} />;
  return error ? <Missing error={error} /> : <Loading />;
}

function Missing({ error }: { error: Refusal }) {
  const t = useTranslations('share');
  return error.code === 'SHARE_NOT_FOUND' ? (
    <Message title={t('gone')} text={t('goneText')} />
  ) : (
    <Message title={t('noAnswer')} text={t('noAnswerText')} />
  );
}

function Loading() {
  const t = useTranslations('share');
  return <main aria-busy="true" aria-label={t('loading')} className="message" />;
}

function Message({ title, text }: { title: string; text: string }) {
  return (
    <main className="message">
      <h1>{title}</h1>
      <p>{text}</p>
    </main>
  );
}

interface LockedProps {
  secret: string;
  app: Answer<'/api/share/lock'>['app'];
  onOpen: OnOpen;
}

function Locked({ secret, app, onOpen }: LockedProps) {
  const t = useTranslations('share');
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function open(event: SyntheticEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const password = new FormData(event.currentTarget).get('password');
    setBusy(true);
    setFault(null);
    try {
      const init = { method: 'POST', body: JSON.stringify({ password }) };
      const { pass } = await (await send('/api/share/unlock', { secret, pass: null }, init)).json();
      onOpen(pass);
    } catch (error) {
      const code = error instanceof Refusal ? error.code : '';
      setFault(t(code === 'WRONG_CREDENTIALS' || code === 'INVALID_REQUEST' ? 'wrongPassword' : 'tryLater'));
    } finally {
      setBusy(false);
    }
  }

  return (
    <main className="message">
      <AppHeader app={app}>
        <h1>{t('locked')}</h1>
        <p>{app.name}</p>
      </AppHeader>
      <p>{t('lockedText')}</p>
      <form onSubmit={open}>
        <label>
          {t('password')}
          <input
            type="password"
            name="password"
            required
            // biome-ignore lint/a11y/noAutofocus: the page has nothing else.
            autoFocus
            autoComplete="off"
            aria-invalid={fault !== null}
            aria-describedby="fault"
          />
        </label>
        <p id="fault" role="alert" className="fault">
          {fault}
        </p>
        <button type="submit" disabled={busy}>
          {t('open')}
        </button>
      </form>
    </main>
  );
}
