// Korea and the European Union: what the law wants said beside the button that pays, and the consent that a press waits
// for. Japan's form is in japan.e2e.ts.
import { expect, test } from './flow.ts';
import { createLook } from './look.ts';
import { acceptedOf } from './proof.ts';

const FORMS = [
  { form: 'korea', brand: 'ko', language: 'ko', query: {}, version: 'korea-2026-11', seller: '주식회사 코스토어' },
  {
    form: 'eu',
    brand: 'brandEn',
    language: 'de',
    query: { domain_area: 'useuro' },
    version: 'eu-2026-11',
    seller: 'Aurora Play',
  },
] as const;

for (const { form, brand, language, query, version, seller } of FORMS)
  for (const scheme of ['light', 'dark'] as const)
    test.describe(
      `${form} in ${scheme}`,
      { tag: form === 'korea' && scheme === 'light' ? ['@wide-later'] : ['@thorough'] },
      () => {
        test.use({ brand, language, colorScheme: scheme });

        test('the form stands above the button, which waits for the consent', async ({ shopPage, player }, {
          project,
        }) => {
          const { page, text, named, checkout, payButton } = shopPage;
          const look = createLook(page, `${project.name}/confirmation-${form}-${scheme}`);
          await shopPage.open('/', query);
          await shopPage.logIn(player);
          await shopPage.chooseCharacter();
          await page.getByRole('main').getByRole('radio').filter({ visible: true }).first().click();
          await shopPage.openCheckout();
          await checkout.getByRole('radio').first().check();
          const said = checkout.getByRole('region', { name: text('confirm.title') });
          await expect(said).toContainText(seller);
          await expect(checkout).toContainText(text(`confirm.${form}_withdrawal`));
          await expect(payButton).toHaveAccessibleName(named('confirm.first'));
          await look('asked');
          await checkout.getByRole('checkbox', { name: text(`confirm.${form}_consent`) }).check();
          await look('agreed');
          const { billingNo } = await shopPage.confirmPay();
          expect(await acceptedOf(billingNo)).toBe(version);
        });
      },
    );
