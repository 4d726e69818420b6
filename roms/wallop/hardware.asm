; The 2600's registers, by the names of its hardware manual (only those used).

; TIA, write
VSYNC   = $00
VBLANK  = $01
WSYNC   = $02
NUSIZ0  = $04
NUSIZ1  = $05
COLUP0  = $06
COLUP1  = $07
COLUPF  = $08
COLUBK  = $09
CTRLPF  = $0A
PF0     = $0D
PF1     = $0E
PF2     = $0F
RESP0   = $10
AUDC0   = $15
AUDC1   = $16
AUDF0   = $17
AUDF1   = $18
AUDV0   = $19
AUDV1   = $1A
GRP0    = $1B
GRP1    = $1C
ENAM0   = $1D
ENAM1   = $1E
ENABL   = $1F
HMP0    = $20
VDELP0  = $25
VDELP1  = $26
VDELBL  = $27
HMOVE   = $2A
HMCLR   = $2B

; TIA, read
INPT0   = $38                   ; paddle 0: bit 7 = charged
INPT4   = $3C                   ; joystick 0: bit 7 = 0 when FIRE is down

; RIOT
SWCHA   = $0280                 ; bit 7 right or paddle 0's FIRE, bit 6 left
SWCHB   = $0282                 ; bit 0 RESET, bit 1 SELECT, bit 6 left = A
INTIM   = $0284
TIM64T  = $0296
