import {
  Box,
  Button,
  ColorInput,
  Flex,
  Group,
  luminance,
  NumberInput,
  Popover,
  Select,
  Stack,
  Switch,
  Text,
} from '@mantine/core';
import { useState } from 'react';
import { renderSVG } from 'uqr';
import { useTranslations } from 'use-intl';
import { useApp } from '../../api/index.ts';

const LEVELS = ['L', 'M', 'Q', 'H'] as const;

interface Options {
  /** Pixels of a PNG. */
  size: number;
  margin: number;
  color: string;
  background: string;
  errorCorrection: (typeof LEVELS)[number];
  /** The logo of the app in the middle, if it has one. */
  logo: boolean;
}

const USUAL: Options = {
  // Enough for print at 8 cm.
  size: 1024,
  margin: 4,
  color: '#000000',
  background: '#ffffff',
  errorCorrection: 'M',
  logo: true,
};

interface QrCodeProps {
  url: string;
  /** Files are named after it and the slug. */
  name?: string;
  /** False: the link does not exist yet, so there are no files. */
  isMade?: boolean;
  /** The code alone, for a phone that stands by: no files and no options. */
  toScan?: boolean;
  /** True: on a phone it is small, beside its buttons. Nobody scans the phone that they hold. */
  isSide?: boolean;
}

/** The share of the code that the logo takes, in percent. */
const LOGO = 18;

/** The QR code of a link, to scan and to download. The host of the link draws the files. */
export function QrCode({ url, name = '', isMade = true, toScan = false, isSide = false }: QrCodeProps) {
  const t = useTranslations('qr');
  const logo = useApp().branding.logo;
  const [chosen, setOptions] = useState(USUAL);
  // A logo hides a part of the code. The host of the link takes the highest level then, too.
  const options = chosen.logo && logo !== null ? { ...chosen, errorCorrection: 'H' as const } : chosen;
  return (
    <Flex
      gap="xs"
      align="center"
      direction={isSide ? { base: 'row', xs: 'column' } : 'column'}
      w={isSide ? { base: '100%', xs: 200 } : 200}
    >
      {/* Scanners need the empty border in dark mode, too. */}
      <Box
        bdrs="md"
        pos="relative"
        flex="none"
        w={isSide ? { base: 120, xs: 200 } : 200}
        style={{ overflow: 'hidden' }}
      >
        <img
          src={shown(url, options)}
          width="100%"
          alt={t('alt', { url })}
          style={{ display: 'block', aspectRatio: 1 }}
        />
        {options.logo && logo !== null && (
          <img
            src={`/logos/${logo}.png`}
            width={`${LOGO}%`}
            alt=""
            style={{ position: 'absolute', inset: `${(100 - LOGO) / 2}%`, aspectRatio: 1 }}
          />
        )}
      </Box>
      {!isReadable(options) && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {t('contrast')}
        </Text>
      )}
      {!toScan && (
        <Group gap="xs">
          {isMade &&
            (['svg', 'png'] as const).map((format) => (
              <Button
                key={format}
                size="compact-xs"
                variant="default"
                component="a"
                href={fileOf(url, name, format, options)}
                data-disabled={isReadable(options) ? undefined : true}
              >
                {format.toUpperCase()}
              </Button>
            ))}
          <Popover position="bottom-start" withArrow trapFocus returnFocus>
            <Popover.Target>
              <Button size="compact-xs" variant="default">
                {t('options')}
              </Button>
            </Popover.Target>
            <Popover.Dropdown>
              <OptionFields
                options={options}
                hasLogo={logo !== null}
                onChange={(change) => setOptions({ ...chosen, ...change })}
              />
            </Popover.Dropdown>
          </Popover>
        </Group>
      )}
    </Flex>
  );
}

interface OptionFieldsProps {
  options: Options;
  hasLogo: boolean;
  onChange: (change: Partial<Options>) => void;
}

function OptionFields({ options, hasLogo, onChange }: OptionFieldsProps) {
  const t = useTranslations('qr');
  const number = (name: 'size' | 'margin', min: number, max: number) => (
    <NumberInput
      size="xs"
      label={t(name)}
      // A colour that has the focus opens its picker over the other fields.
      data-autofocus={name === 'size' || undefined}
      value={options[name]}
      min={min}
      max={max}
      clampBehavior="strict"
      allowDecimal={false}
      onChange={(value) => typeof value === 'number' && value >= min && onChange({ [name]: value })}
    />
  );
  const color = (name: 'color' | 'background') => (
    <ColorInput
      size="xs"
      label={t(name)}
      value={options[name]}
      error={name === 'color' && !isReadable(options) && t('contrast')}
      onChange={(value) => /^#[0-9a-f]{6}$/i.test(value) && onChange({ [name]: value })}
      popoverProps={{ withinPortal: false }}
    />
  );
  return (
    <Stack gap="xs" w={220}>
      {color('color')}
      {color('background')}
      {number('size', 64, 2048)}
      {number('margin', 0, 16)}
      {hasLogo && (
        <Switch
          size="xs"
          label={t('logo')}
          checked={options.logo}
          onChange={({ currentTarget: { checked } }) => onChange({ logo: checked })}
        />
      )}
      <Select
        size="xs"
        label={t('errorCorrection')}
        disabled={hasLogo && options.logo}
        value={options.errorCorrection}
        data={LEVELS.map((level) => ({ value: level, label: t(`levels.${level}`) }))}
        onChange={(level) => onChange({ errorCorrection: LEVELS.find((one) => one === level) ?? 'M' })}
        comboboxProps={{ withinPortal: false }}
      />
    </Stack>
  );
}

/** The contrast (WCAG) is one that the host of the link accepts. */
const isReadable = ({ color, background }: Options): boolean =>
  (luminance(background) + 0.05) / (luminance(color) + 0.05) >= 3;

/** Returns the code as an image. The page's policy allows no image of another host. */
function shown(url: string, { margin, color, background, errorCorrection }: Options): string {
  // The mark tells a scan from a tap in the events of the link.
  const svg = renderSVG(`${url}?qr`, {
    ecc: errorCorrection,
    border: margin,
    blackColor: color,
    whiteColor: background,
  });
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** Returns the address of the file. Its host names it after the link. */
function fileOf(
  url: string,
  name: string,
  format: 'svg' | 'png',
  { size, color, background, ...options }: Options,
): string {
  const query = new URLSearchParams({ download: 'true', errorCorrection: options.errorCorrection });
  if (name.trim() !== '') query.set('name', name.trim());
  if (!options.logo) query.set('logo', 'false');
  if (format === 'png') query.set('size', `${size}`);
  if (options.margin !== USUAL.margin) query.set('margin', `${options.margin}`);
  if (color !== USUAL.color) query.set('color', color.slice(1));
  if (background !== USUAL.background) query.set('background', background.slice(1));
  return `${url}.qr.${format}?${query}`;
}
