// The states of a share: not whole, loading, locked, gone, open.
import { type SyntheticEvent, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { type Access, Refusal, send, useAnswer } from './ask.ts';
import { Shared } from './shared.tsx';

export function SharePage({ secret }: { secret: string }) {
  const t = useTranslations('share');
  // The pass is in the memory of the page alone, so a reload asks for the password again.
  const [pass, setPass] = useState<string | null>(null);
  const access = { secret, pass };
  if (!/^lfs_[0-9a-f]{32}$/.test(secret)) return <Message title={t('notWhole')} text={t('notWholeText')} />;
  return <Opened access={access} onPass={setPass} />;
}

function Opened({ access, onPass }: { access: Access; onPass: (pass: string) => void }) {
  const t = useTranslations('share');
  const { data, error } = useAnswer('/api/share', access);
  useEffect(() => {
    document.title = data ? `${data.share.name} · ${data.share.app.name}` : 'Landfall';
  }, [data]);
  if (error?.code === 'SHARE_LOCKED') return <Locked secret={access.secret} onPass={onPass} />;
  if (error?.code === 'SHARE_NOT_FOUND') return <Message title={t('gone')} text={t('goneText')} />;
  if (data) return <Shared share={data.share} access={access} />;
  if (error) return <Message title={t('noAnswer')} text={t('noAnswerText')} />;
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

function Locked({ secret, onPass }: { secret: string; onPass: (pass: string) => void }) {
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
      onPass(pass);
    } catch (error) {
      const code = error instanceof Refusal ? error.code : '';
      setFault(t(code === 'WRONG_CREDENTIALS' || code === 'INVALID_REQUEST' ? 'wrongPassword' : 'tryLater'));
    } finally {
      setBusy(false);
    }
  }

  return (
    <main className="message">
      <h1>{t('locked')}</h1>
      <p>{t('lockedText')}</p>
      <form onSubmit={open}>
        <label>
          {t('password')}
          <input
            type="password"
            name="password"
            required
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
