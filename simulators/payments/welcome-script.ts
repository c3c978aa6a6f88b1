// The desktop script of the simulator: opens an overlay of 820 by 600 over the shop's page, as the real one
// does, and posts the form into it.

/** @param origin where the overlay's page is */
export const overlayScript = (origin: string): string => `// Simulated Welcome Payments
var WelStdPay = {
  pay: function (formId) {
    var given = document.getElementById(formId);
    var shade = document.createElement('div');
    Object.assign(shade.style, { position: 'fixed', inset: '0', background: 'rgba(0,0,0,.6)', display: 'grid', placeItems: 'center', zIndex: '9999' });
    var frame = document.createElement('iframe');
    frame.name = 'welcome-overlay';
    frame.title = 'Welcome Payments';
    Object.assign(frame.style, { width: 'min(820px, 100%)', height: 'min(600px, 100%)', border: '0', background: '#fff', borderRadius: '8px' });
    shade.appendChild(frame);
    document.body.appendChild(shade);
    given.action = ${JSON.stringify(`${origin}/welcome/pc/open`)};
    given.target = frame.name;
    given.submit();
  },
};
`;
